// @databases @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  caller,
  dataOf,
  expectStatus,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'

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

test.group('Unlinking zones from their template', (tests) => {
  setUp(tests)

  test('unlinked zones keep their records, and an audit event is written', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    const zones = [
      await createZone(as, { name: zoneNamed(), template }),
      await createZone(as, { name: zoneNamed(), template }),
    ]
    const ids = zones.map(({ id }) => id)
    const before = await stateOf(ids[0])
    const at = `/zone-templates/${template}/unlink`
    await expectStatus(as.post(`${at}?dry_run=true`, { zones: ids }), 200)
    assert.lengthOf(await db.from('zw_zone_template_links').where('template_id', template), 2)
    const response = await as.post(at, { zones: ids })
    response.assertStatus(200)
    response.assertBody({
      success: true,
      data: null,
      message: 'Zones unlinked from the template successfully',
    })
    assert.deepEqual(await stateOf(ids[0]), before)
    assert.isEmpty(await db.from('zw_zone_template_links').where('template_id', template))
    const events: { action: string; detail: object }[] = await dataOf(
      as.get(`/audit?object=zone:${ids[0]}&action=zone`),
      'entries'
    )
    const templateEvents = events.filter(({ action }) => action.startsWith('zone.template'))
    assert.deepEqual(
      templateEvents.map(({ action, detail }) => [action, detail]),
      [
        ['zone.template_unlinked', { template_id: template }],
        ['zone.template_linked', { template_id: template }],
      ]
    )
  })

  test('all zones are unlinked or none', async ({ client, assert }) => {
    const template = await createZoneTemplate(as, { is_global: true })
    const linked = await createZone(as, { name: zoneNamed(), template })
    const plain = await createZone(as, { name: zoneNamed() })
    const at = `/zone-templates/${template}/unlink`
    await expectStatus(as.post(at, { zones: [linked.id, plain.id] }), 409)
    await expectStatus(as.post(at, { zones: [linked.id, 2_147_483_647] }), 404)
    const ids = [plain.id, linked.id, 2_147_483_647, 2_147_483_646, plain.id]
    const all = await as.post(at, { zones: ids })
    all.assertStatus(409)
    const { errors } = (all.body() as { data: { errors: string[] } }).data
    assert.deepEqual(
      errors.map((error) => error.split(':')[0]),
      ['zones.0', 'zones.2', 'zones.3']
    )
    assert.include(errors[0], plain.name)
    assert.include(errors[1], 'Zone not found')
    const viewer = await person({ permissions: ['zone_content_view_others', 'zone_master_add'] })
    await expectStatus(caller(client, viewer).post(at, { zones: [linked.id] }), 403)
    assert.lengthOf(await db.from('zw_zone_template_links').where('template_id', template), 1)
    const editor = await person({
      permissions: ['zone_content_view_others', 'zone_meta_edit_others', 'zone_master_add'],
    })
    await expectStatus(caller(client, editor).post(at, { zones: [linked.id] }), 200)
  })
})

test.group('Zones of a template in the trash', (tests) => {
  setUp(tests)

  const linkOf = async (uid: string): Promise<object | null> =>
    db.from('zw_zone_template_links').where('zone_uid', uid).first()

  /** Creates a zone from a template. Returns its link. */
  async function linkedZone(asUser: Caller, template: number) {
    const zone = await createZone(asUser, { name: zoneNamed(), template })
    const { uid } = await db.from('zw_zones').where('id', zone.id).firstOrFail()
    return { zone, uid: String(uid), link: await linkOf(uid) }
  }

  async function deleteZone(
    asUser: Caller,
    { id, name }: { id: number; name: string }
  ): Promise<string> {
    await expectStatus(asUser.delete(`/zones/${id}`), 204)
    const items: { id: number; zone_name: string }[] = await dataOf(asUser.get('/trash'), 'zones')
    return `/trash/${items.find((item) => item.zone_name === name)?.id}`
  }

  async function reportsOf(template: number) {
    const templates: { id: number; zones_linked: number }[] = await dataOf(
      as.get('/zone-templates'),
      'templates'
    )
    const reports: { zone_id: number; state: string }[] = await dataOf(
      as.get(`/zone-templates/${template}/drift`),
      'zones'
    )
    const linked = templates.find(({ id }) => id === template)?.zones_linked
    return [linked, ...reports.map(({ zone_id: id, state }) => [id, state])]
  }

  test('a restored zone has its link, or none if the template was deleted', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    const { zone, uid, link } = await linkedZone(as, template)
    assert.isNotNull(link)
    const item = await deleteZone(as, zone)
    assert.deepEqual(await reportsOf(template), [0])
    await expectStatus(as.post(`${item}/restore`, {}), 201)
    assert.deepEqual(await linkOf(uid), link)
    assert.deepEqual(await reportsOf(template), [1, [zone.id, 'in_sync']])

    const again = await deleteZone(as, zone)
    await expectStatus(as.delete(`/zone-templates/${template}`), 200)
    await expectStatus(as.post(`${again}/restore`, {}), 201)
    assert.isNull(await linkOf(uid))
    const records: { content: string }[] = await dataOf(
      as.get(`/zones/${zone.id}/records?type=A`),
      'records'
    )
    assert.deepEqual(
      records.map(({ content }) => content),
      ['192.0.2.1']
    )
  })

  test('a restored zone keeps its link to a template that the user cannot see any more', async ({
    client,
    assert,
  }) => {
    const template = await createZoneTemplate(as, { is_global: true })
    const owner = caller(client, await person({ template: 'Zone Manager' }))
    const { zone, uid, link } = await linkedZone(owner, template)
    const item = await deleteZone(owner, zone)
    await expectStatus(owner.get(`/zone-templates/${template}`), 200)
    await expectStatus(as.put(`/zone-templates/${template}`, { is_global: false }), 200)
    await expectStatus(owner.get(`/zone-templates/${template}`), 403)
    await expectStatus(owner.post(`${item}/restore`, {}), 201)
    assert.deepEqual(await linkOf(uid), link)
    assert.deepEqual(await reportsOf(template), [1, [zone.id, 'in_sync']])
  })

  test('discarding a zone deletes its link', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    const { zone, uid } = await linkedZone(as, template)
    const item = await deleteZone(as, zone)
    await expectStatus(as.delete(`${item}?dry_run=true`), 200)
    assert.isNotNull(await linkOf(uid))
    await expectStatus(as.delete(item), 204)
    assert.isNull(await linkOf(uid))
  })
})

test.group('Saving a zone as a template', (tests) => {
  setUp(tests)

  test('the template creates an equal zone', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    for (const [name, type, content, priority = 0] of [
      ['@', 'NS', 'ns1.example.com'],
      ['@', 'NS', `ns.${zone.name}`],
      ['ns', 'A', '192.0.2.53'],
      ['@', 'MX', `mail.${zone.name}`, 10],
      ['mail', 'A', '192.0.2.25'],
      ['*', 'CNAME', zone.name],
      ['@', 'TXT', `v=spf1 include:${zone.name} a:x${zone.name} -all`],
      ['_sip._tcp', 'SRV', `0 5060 sip.${zone.name}`, 5],
      ['other', 'CNAME', `${zone.name}.example`],
    ] as const) {
      await createRecord(as, zone, { name, type, content, priority, ttl: 600 })
    }
    await createRecord(as, zone, { name: 'off', type: 'A', content: '192.0.2.9', disabled: true })
    await createRecord(as, zone, { name: 'odd', type: 'TXT', content: 'about [ZONE]' })
    const name = unique('saved')
    const at = `/zones/${zone.id}/save-template`
    const response = await as.post(at, { name, description: 'from a zone' })
    response.assertStatus(201)
    const { id, records, left_out: leftOut } = response.body().data
    assert.equal(records, 10)
    assert.sameDeepMembers(leftOut, [
      { name: `off.${zone.name}`, type: 'A', reason: 'the record is disabled' },
      {
        name: `odd.${zone.name}`,
        type: 'TXT',
        reason: 'the record contains text that is a placeholder',
      },
    ])
    const saved: { name: string; type: string; content: string }[] = await dataOf(
      as.get(`/zone-templates/${id}/records`),
      'records'
    )
    const lines = saved.map((record) => `${record.name} ${record.type} ${record.content}`)
    assert.sameMembers(lines, [
      '[ZONE] SOA [NS1] [HOSTMASTER] [SERIAL] [SOA_REFRESH] [SOA_RETRY] [SOA_EXPIRE] [SOA_MINIMUM]',
      '[ZONE] NS [NS1]',
      '[ZONE] NS ns.[ZONE]',
      'ns.[ZONE] A 192.0.2.53',
      '[ZONE] MX mail.[ZONE]',
      'mail.[ZONE] A 192.0.2.25',
      '*.[ZONE] CNAME [ZONE]',
      `[ZONE] TXT v=spf1 include:[ZONE] a:x${zone.name} -all`,
      '_sip._tcp.[ZONE] SRV 0 5060 sip.[ZONE]',
      `other.[ZONE] CNAME ${zone.name}.example`,
    ])
    const copy = await createZone(as, { name: zoneNamed('copy'), template: id })
    const shape = async ({ id: zoneId, name: apex }: { id: number; name: string }) => {
      const rows: Record<string, string>[] = await dataOf(
        as.get(`/zones/${zoneId}/records`),
        'records'
      )
      return rows
        .filter(
          (row) =>
            row.type !== 'SOA' &&
            !row.disabled &&
            !/^(odd|other)/.test(row.name) &&
            row.type !== 'TXT'
        )
        .map((row) => [row.name, row.type, row.content, row.ttl].join(' ').replaceAll(apex, '~'))
        .sort()
    }
    assert.deepEqual(await shape(copy), await shape(zone))
    // A sync with `link` links the zone, which then has no drift.
    await expectStatus(as.post(`/zone-templates/${id}/sync`, { zones: [zone.id], link: true }), 200)
    const reports: { zone_id: number; state: string }[] = await dataOf(
      as.get(`/zone-templates/${id}/drift`),
      'zones'
    )
    assert.equal(reports.find(({ zone_id: zoneId }) => zoneId === zone.id)?.state, 'in_sync')
  })

  test('saving requires access to the zone and the right to create templates', async ({
    client,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const body = () => ({ name: unique('saved'), description: '' })
    const at = `/zones/${zone.id}/save-template`
    for (const [permissions, status] of [
      [['zone_templ_add'], 404],
      [['zone_content_view_others'], 403],
      [['zone_content_view_others', 'zone_templ_add'], 201],
    ] as const) {
      const asUser = caller(client, await person({ permissions: [...permissions] }))
      await expectStatus(asUser.post(at, body()), status)
    }
    await expectStatus(as.post(at, { name: 'x' }), 400)
  })

  for (const [what, restrictions, status] of [
    ['creates only', { operations: ['create'] }, 403],
    ['creates and deletes', { operations: ['create', 'delete'] }, 403],
    ['views only', { operations: ['view'] }, 403],
    ['reads only', { readOnly: true }, 403],
    ['views and creates', { operations: ['view', 'create'] }, 201],
    ['is not restricted', {}, 201],
  ] as [string, Restrictions, number][]) {
    test(`saving by a key that ${what}: ${status}`, async ({ client }) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const { key } = await keyFor(await administrator(), restrictions)
      const body = { name: unique('saved'), description: '' }
      await expectStatus(
        caller(client, { key }).post(`/zones/${zone.id}/save-template`, body),
        status
      )
    })
  }
})
