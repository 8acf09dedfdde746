// @databases @api-backend(all)
import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { journalOf, lastEntryOf, serialOf, stateOf } from '#tests/support/app/zones/zones'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'

interface Drift {
  zone_id: number
  state: string
  message?: string
  differences: { name: string; type: string; cause: string }[]
}

interface Synced {
  zone_id: number
  status: number
  message: string
  entry: number | null
  changes: { name: string; type: string }[]
  kept: { name: string; cause: string }[]
}

let admin: Person
let as: Caller

const setUp = (tests: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup((t) => {
    as = caller(t.context.client, admin)
  })
}

/** Returns the records of a zone as lines of relative name, type and content, without the SOA record. */
async function linesOf(zone: { id: number; name: string }): Promise<string[]> {
  const records: { name: string; type: string; content: string }[] = await dataOf(
    as.get(`/zones/${zone.id}/records`),
    'records'
  )
  return records
    .filter(({ type }) => type !== 'SOA')
    .map(({ name, type, content }) => `${name.replace(`.${zone.name}`, '')} ${type} ${content}`)
    .sort()
}

const drift = (template: number, asUser = as): Promise<Drift[]> =>
  dataOf(asUser.get(`/zone-templates/${template}/drift`), 'zones')

async function sync(
  template: number,
  zones: { id: number }[],
  terms: object = {}
): Promise<Synced[]> {
  const ids = zones.map(({ id }) => id)
  const response = await as.post(`/zone-templates/${template}/sync`, { zones: ids, ...terms })
  response.assertStatus(200)
  return response.body().data.zones
}

const edit = (template: number, record: number, name: string, content: string) =>
  as.put(`/zone-templates/${template}/records/${record}`, { name, type: 'A', content })

/** Creates a template with www and mail, and a zone from it. */
async function linked() {
  const template = await createZoneTemplate(as)
  const www = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
  const mail = await addTemplateRecord(as, template, 'mail', 'A', '192.0.2.2')
  const zone = await createZone(as, { name: zoneNamed(), template })
  return { template, www, mail, zone }
}

test.group('Drift of zones from their template', (tests) => {
  setUp(tests)

  test('a new zone has no drift, whenever it was created', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'made', 'TXT', '"[SERIAL] [UNIXTIME]"')
    const { id } = await createZone(as, { name: zoneNamed(), template })
    // Waits until [UNIXTIME] has another value.
    await wait(1_100)
    const [report] = await drift(template)
    assert.deepEqual([report.zone_id, report.state, report.differences], [id, 'in_sync', []])
  })

  test('the report has the differing RRsets of each zone and the cause', async ({ assert }) => {
    const { template, www, mail, zone } = await linked()
    const otherZone = await createZone(as, { name: zoneNamed(), template })
    await as.put(`/zones/${zone.id}/rrsets`, {
      name: 'mail',
      type: 'A',
      ttl: 3600,
      records: [{ content: '198.51.100.9' }],
    })
    const reports = await drift(template)
    const stateOfZone = (id: number) => reports.find(({ zone_id: zoneId }) => zoneId === id)?.state
    assert.deepEqual([stateOfZone(zone.id), stateOfZone(otherZone.id)], ['changed', 'in_sync'])

    await edit(template, www, 'www', '192.0.2.11')
    await edit(template, mail, 'mail', '192.0.2.12')
    const [first, second] = await drift(template)
    const causes = ({ differences }: Drift) =>
      differences.map(({ name, cause }) => `${name.split('.')[0]} ${cause}`)
    assert.deepEqual(causes(first), ['mail both', 'www template'])
    assert.deepEqual(causes(second), ['mail template', 'www template'])
    assert.deepEqual([first.state, second.state], ['differs', 'differs'])
    const [, difference] = first.differences
    const state = (content: string) => ({
      ttl: 3600,
      records: [{ content, priority: 0, disabled: false }],
    })
    assert.deepInclude(difference, {
      name: `www.${zone.name}`,
      type: 'A',
      template: state('192.0.2.11'),
      zone: state('192.0.2.1'),
      keep: state('192.0.2.11'),
      overwrite: state('192.0.2.11'),
    } as object)
  })

  test(
    'the report is paged by zone, and only has visible zones'.replace('’', "'"),
    async ({ client, assert }) => {
      const template = await createZoneTemplate(as, { is_global: true })
      const manager = await person({ template: 'Zone Manager' })
      const asMember = caller(client, manager)
      const ownZone = await createZone(asMember, { name: zoneNamed(), template })
      await createZone(as, { name: zoneNamed(), template })
      await createZone(as, { name: zoneNamed(), template })
      const ids = (reports: Drift[]) => reports.map(({ zone_id: id }) => id)
      assert.deepEqual(ids(await drift(template, asMember)), [ownZone.id])
      assert.lengthOf(await drift(template), 3)
      const response = await as.get(`/zone-templates/${template}/drift?per_page=2&page=2`)
      assert.lengthOf(response.body().data.zones, 1)
      assert.deepEqual(response.body().pagination, {
        current_page: 2,
        per_page: 2,
        total: 3,
        last_page: 2,
      })
    }
  )

  test('a zone that no longer fits the template has the reason', async ({ assert }) => {
    const { template } = await linked()
    await addTemplateRecord(as, template, '@', 'NS', '[NS3]')
    const [report] = await drift(template)
    assert.equal(report.state, 'refused')
    assert.include(report.message!, '[NS3] has no value')
  })
})

test.group('Sync of zones with their template', (tests) => {
  setUp(tests)

  test('a sync only changes RRsets of the template in selected zones, and keeps edits of users', async ({
    assert,
  }) => {
    const { template, www, mail, zone } = await linked()
    const otherZone = await createZone(as, { name: zoneNamed(), template })
    for (const [name, content] of [
      ['www', '198.51.100.1'],
      ['own', '198.51.100.2'],
    ]) {
      await as.post(`/zones/${zone.id}/records`, { name, type: 'A', content, ttl: 3600 })
    }
    await edit(template, www, 'www', '192.0.2.11')
    await as.delete(`/zone-templates/${template}/records/${mail}`)
    await addTemplateRecord(as, template, '@', 'MX', 'mail.example.net', { priority: 10 })
    const untouched = await stateOf(otherZone.id)
    const before = await serialOf(zone.id)

    const [outcome] = await sync(template, [zone])
    assert.equal(outcome.status, 200)
    assert.deepEqual(
      await linesOf(zone),
      [
        `${zone.name} MX mail.example.net`,
        'own A 198.51.100.2',
        'www A 192.0.2.11',
        'www A 198.51.100.1',
      ].sort()
    )
    assert.deepEqual(await stateOf(otherZone.id), untouched)
    assert.isAbove(await serialOf(zone.id), before)
    const entry = await lastEntryOf(zone.id)
    assert.deepInclude(entry, { origin_kind: 'template', origin_id: String(template) })
    assert.equal(outcome.entry, entry.entry)
    const reports = await drift(template)
    assert.equal(reports.find(({ zone_id: id }) => id === zone.id)?.state, 'in_sync')

    // A second sync finds no difference and writes nothing.
    const entries = await journalOf(zone.id)
    const [again] = await sync(template, [zone])
    assert.deepEqual([again.entry, again.changes], [null, []])
    assert.lengthOf(await journalOf(zone.id), entries.length)
  })

  test('a record older than the template record is never deleted', async ({ assert }) => {
    const { template, zone } = await linked()
    await as.post(`/zones/${zone.id}/records`, {
      name: 'ftp',
      type: 'A',
      content: '192.0.2.5',
      ttl: 3600,
    })
    const ftp = await addTemplateRecord(as, template, 'ftp', 'A', '192.0.2.5')
    await sync(template, [zone])
    await as.delete(`/zone-templates/${template}/records/${ftp}`)
    await sync(template, [zone], { local_changes: 'overwrite' })
    assert.include(await linesOf(zone), 'ftp A 192.0.2.5')
  })

  test('edits of the zone stay unless they are overwritten on request', async ({ assert }) => {
    const { template, www, zone } = await linked()
    await as.put(`/zones/${zone.id}/rrsets`, {
      name: 'www',
      type: 'A',
      ttl: 60,
      records: [{ content: '198.51.100.1' }],
    })
    await as.delete(`/zones/${zone.id}/rrsets/mail/A`)
    await edit(template, www, 'www', '192.0.2.11')
    const changed = await linesOf(zone)
    const [result] = await sync(template, [zone])
    assert.deepEqual(await linesOf(zone), changed)
    assert.deepEqual(
      result.kept.map(({ name, cause }) => `${name.split('.')[0]} ${cause}`),
      ['mail zone', 'www both']
    )
    const [overwritten] = await sync(template, [zone], { local_changes: 'overwrite' })
    assert.isEmpty(overwritten.kept)
    assert.deepEqual(await linesOf(zone), [
      'mail A 192.0.2.2',
      'www A 192.0.2.11',
      'www A 198.51.100.1',
    ])
  })

  test('the serial goes up, and the SOA fields come from the template', async ({ assert }) => {
    const { template, zone } = await linked()
    const [soa]: { id: number }[] = await dataOf(
      as.get(`/zone-templates/${template}/records?type=SOA`),
      'records'
    )
    await as.post(`/zones/${zone.id}/records`, { name: 'x', type: 'A', content: '192.0.2.5' })
    const before = await serialOf(zone.id)
    await as.put(`/zone-templates/${template}/records/${soa.id}`, {
      name: '[ZONE]',
      type: 'SOA',
      content: '[NS1] [HOSTMASTER] [SERIAL] 1 2 3 4',
    })
    await sync(template, [zone])
    const [{ content }] = await dataOf(as.get(`/zones/${zone.id}/records?type=SOA`), 'records')
    assert.equal(content, `ns1.example.com hostmaster.example.com ${before + 1} 1 2 3 4`)
    await expectStatus(as.delete(`/zone-templates/${template}/records/${soa.id}`), 200)
    const [outcome] = await sync(template, [zone])
    assert.isEmpty(outcome.changes)
  })

  test('each zone has its result, and a refused zone does not prevent the others', async ({
    assert,
  }) => {
    const { template, mail, zone } = await linked()
    const broken = await createZone(as, { name: zoneNamed(), template })
    const unlinked = await createZone(as, { name: zoneNamed() })
    await as.post(`/zones/${broken.id}/records`, { name: 'ftp', type: 'A', content: '192.0.2.3' })
    await addTemplateRecord(as, template, 'ftp', 'CNAME', 'www.[ZONE]')
    await as.delete(`/zone-templates/${template}/records/${mail}`)
    const before = await stateOf(broken.id)
    const outcomes = await sync(template, [broken, unlinked, { id: 2_147_483_647 }, zone])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [400, 409, 404, 200]
    )
    assert.include(outcomes[0].message, 'a CNAME must be the only record of its name')
    assert.deepEqual(await stateOf(broken.id), before)
    assert.include(await linesOf(zone), `ftp CNAME www.${zone.name}`)
    const response = await as.post(`/zone-templates/${template}/sync`, { zones: [unlinked.id] })
    response.assertStatus(409)
    assert.equal(response.body().data.zones[0].zone_id, unlinked.id)
  })

  test('a dry run returns a plan for each zone and changes nothing', async ({ assert }) => {
    const { template, www, zone } = await linked()
    await edit(template, www, 'www', '192.0.2.11')
    const before = await stateOf(zone.id)
    const link = await db.from('zw_zone_template_links').where('template_id', template)
    const [plan] = await sync(template, [zone], { dry_run: true })
    assert.deepEqual(
      plan.changes.map(({ name, type }) => `${name} ${type}`),
      [`www.${zone.name} A`]
    )
    assert.deepEqual(await stateOf(zone.id), before)
    assert.deepEqual(await db.from('zw_zone_template_links').where('template_id', template), link)
  })

  test('a sync can be undone like any change', async ({ assert }) => {
    const { template, www, zone } = await linked()
    const before = await linesOf(zone)
    await edit(template, www, 'www', '192.0.2.11')
    const [{ entry }] = await sync(template, [zone])
    await expectStatus(as.post(`/zones/${zone.id}/history/${entry}/undo`, {}), 200)
    assert.deepEqual(await linesOf(zone), before)
    const [report] = await drift(template)
    assert.deepEqual([report.state, report.differences[0].cause], ['changed', 'zone'])
  })

  test('a zone of another origin is linked on request, and can move to another template', async ({
    assert,
  }) => {
    const { template, zone } = await linked()
    const other = await createZoneTemplate(as)
    await addTemplateRecord(as, other, 'www', 'A', '192.0.2.1')
    await addTemplateRecord(as, other, 'shop', 'A', '192.0.2.7')
    await as.post(`/zones/${zone.id}/records`, { name: 'own', type: 'A', content: '192.0.2.3' })
    await expectStatus(as.post(`/zone-templates/${other}/sync`, { zones: [zone.id] }), 409)
    await sync(other, [zone], { link: true })
    assert.deepEqual(await linesOf(zone), [
      'own A 192.0.2.3',
      'shop A 192.0.2.7',
      'www A 192.0.2.1',
    ])
    assert.isEmpty(await drift(template))
    const plain = await createZone(as, { name: zoneNamed() })
    await sync(other, [plain], { link: true })
    assert.deepEqual(await linesOf(plain), ['shop A 192.0.2.7', 'www A 192.0.2.1'])
    const slave = await createZone(as, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
    await expectStatus(
      as.post(`/zone-templates/${other}/sync`, { zones: [slave.id], link: true }),
      409
    )
  })

  test('a renamed zone is synced with its new name', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'www', 'CNAME', 'host.[ZONE]')
    const zone = await createZone(as, { name: zoneNamed(), template })
    const name = zoneNamed('renamed')
    await expectStatus(as.put(`/zones/${zone.id}`, { name }), 200)
    const renamed = { id: zone.id, name }
    assert.deepEqual(await linesOf(renamed), [`www CNAME host.${zone.name}`])
    await sync(template, [renamed])
    assert.deepEqual(await linesOf(renamed), [`www CNAME host.${name}`])
  }).tags(['@sql'])

  test('a sync requires access to the template and the right to edit the zone', async ({
    client,
    assert,
  }) => {
    const template = await createZoneTemplate(as, { is_global: true })
    const www = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    const owner = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, owner), { name: zoneNamed(), template })
    await edit(template, www, 'www', '192.0.2.11')
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    const before = await stateOf(zone.id)
    const call = (asUser: Caller) =>
      asUser.post(`/zone-templates/${template}/sync`, { zones: [zone.id] })
    await expectStatus(call(stranger), 404)
    const asLimitedKey = caller(client, await keyFor(owner, { operations: ['update'] }))
    await addTemplateRecord(as, template, 'new', 'A', '192.0.2.9')
    await expectStatus(call(asLimitedKey), 403)
    assert.deepEqual(await stateOf(zone.id), before)
    await expectStatus(call(caller(client, owner)), 200)
    const lua = 'A "ifportup(443, {\'192.0.2.1\'})"'
    await addTemplateRecord(as, template, 'l', 'LUA', lua)
    await expectStatus(call(caller(client, owner)), 403)
  })

  test('an invalid request gets 400', async () => {
    const { template, zone } = await linked()
    for (const body of [
      {},
      { zones: [] },
      { zones: 'all' },
      { zones: [zone.id], local_changes: 'merge' },
      { zones: Array.from({ length: 101 }, (_, index) => index + 1) },
    ]) {
      await expectStatus(as.post(`/zone-templates/${template}/sync`, body), 400)
    }
  })
})
