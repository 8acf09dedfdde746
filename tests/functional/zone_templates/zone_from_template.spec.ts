// @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  baseUrl,
  caller,
  dataOf,
  expectStatus,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { withSettings } from '#tests/support/app/settings'
import { lastEntryOf, rowCounts } from '#tests/support/app/zones/zones'
import { signedIn } from '#tests/support/web/client'
import {
  addTemplateRecord,
  createZoneTemplate,
  templateRecordIds,
} from '#tests/support/app/zones/zone_templates'

interface Shown {
  name: string
  type: string
  content: string
  ttl: number
  priority: number
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

/** Returns the records of a zone as lines of name, type and content, without the serial of the SOA record. */
async function linesOf(id: number, asUser = as): Promise<string[]> {
  const records: Shown[] = await dataOf(asUser.get(`/zones/${id}/records`), 'records')
  return records
    .map(({ name, type, content, ttl }) => {
      const fields = content.split(' ')
      const shown = type === 'SOA' ? fields.with(2, '#').join(' ') : content
      return `${name} ${ttl} ${type} ${shown}`
    })
    .sort()
}

/** Returns the number of linked zones in the list of templates. */
async function linkedZones(template: number): Promise<number> {
  const list: { id: number; zones_linked: number }[] = await dataOf(
    as.get('/zone-templates'),
    'templates'
  )
  return list.find(({ id }) => id === template)!.zones_linked
}

const linkOf = async (zoneId: number) => {
  const { uid } = await db.from('zw_zones').where('id', zoneId).firstOrFail()
  return db.from('zw_zone_template_links').where('zone_uid', String(uid)).first()
}

test.group('Zones from a template', (tests) => {
  setUp(tests)

  for (const form of ['number', 'text'] as const) {
    test(`a new zone gets the records of its template, named by id as ${form}`, async ({
      assert,
    }) => {
      const template = await createZoneTemplate(as)
      await addTemplateRecord(as, template, '[ZONE]', 'NS', '[NS1]')
      await addTemplateRecord(as, template, '@', 'NS', '[NS2]')
      await addTemplateRecord(as, template, 'www.[ZONE]', 'A', '192.0.2.1', { ttl: 300 })
      await addTemplateRecord(as, template, 'ftp', 'CNAME', 'www.[ZONE]')
      await addTemplateRecord(as, template, '@', 'MX', 'mail.[ZONE]', { priority: 10 })
      await addTemplateRecord(as, template, '@', 'TXT', '"v=spf1 a:[DOMAIN].[TLD] -all"')
      const name = zoneNamed()
      const { id } = await createZone(as, {
        name,
        template: form === 'number' ? template : String(template),
      })
      const [domain, tld] = name.split('.').slice(-2)
      assert.deepEqual(
        await linesOf(id),
        [
          `${name} 86400 SOA ns1.example.com hostmaster.example.com # 28800 7200 604800 86400`,
          `${name} 3600 NS ns1.example.com`,
          `${name} 3600 NS ns2.example.com`,
          `www.${name} 300 A 192.0.2.1`,
          `ftp.${name} 3600 CNAME www.${name}`,
          `${name} 3600 MX mail.${name}`,
          `${name} 3600 TXT v=spf1 a:${domain}.${tld} -all`,
        ].sort()
      )
      const day = new Date()
      const two = (value: number) => String(value).padStart(2, '0')
      const date = `${day.getFullYear()}${two(day.getMonth() + 1)}${two(day.getDate())}00`
      const entry = await lastEntryOf(id)
      assert.equal(String(entry.serial_after), date)
      assert.deepInclude(entry, { origin_kind: 'template', origin_id: String(template) })
      const linked = await linkedZones(template)
      assert.equal(linked, 1)
    })
  }

  test('a later change of the template changes no zone', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    const www = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    const { id } = await createZone(as, { name: zoneNamed(), template })
    const before = await linesOf(id)
    await as.put(`/zone-templates/${template}/records/${www}`, {
      name: 'www',
      type: 'A',
      content: '192.0.2.2',
    })
    await as.delete(`/zone-templates/${template}`)
    assert.deepEqual(await linesOf(id), before)
    assert.isNull(await linkOf(id))
  })

  test('the last of several SOA records is used, equal records are merged, and none is invented', async ({
    assert,
  }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, '[ZONE]', 'SOA', '[NS1] admin@[ZONE] [SERIAL] 1 2 3 4')
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    await addTemplateRecord(as, template, 'WWW.[ZONE]', 'A', '192.0.2.1')
    const name = zoneNamed()
    const { id } = await createZone(as, { name, template })
    assert.deepEqual(
      await linesOf(id),
      [
        `${name} 3600 SOA ns1.example.com admin.${name} # 1 2 3 4`,
        `www.${name} 3600 A 192.0.2.1`,
      ].sort()
    )
  })

  test('a template without an SOA record gets the default one', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    const ids = await templateRecordIds(as, template)
    await as.delete(`/zone-templates/${template}/records/${[...ids.values()][0]}`)
    const name = zoneNamed()
    const { id } = await createZone(as, { name, template })
    assert.deepEqual(await linesOf(id), [
      `${name} 86400 SOA ns1.example.com hostmaster.example.com # 28800 7200 604800 86400`,
    ])
  })

  test('a reverse zone gets suitable records only, a secondary zone none', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, '@', 'NS', '[NS1]')
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    await addTemplateRecord(as, template, '1', 'PTR', 'gateway.example.net')
    const name = `${zoneNamed().replace('.test', '')}.2.0.192.in-addr.arpa`
    const { id } = await createZone(as, { name, template })
    const lines = await linesOf(id)
    const types = lines.map((line) => line.split(' ')[2])
    assert.deepEqual(types.sort(), ['NS', 'PTR', 'SOA'])
    const slave = { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1', template }
    const { id: slaveId } = await createZone(as, slave)
    assert.isEmpty(await linesOf(slaveId))
    assert.isNull(await linkOf(slaveId))
  })

  test('a record that is invalid in the zone is refused by name, and nothing is created', async ({
    assert,
  }) => {
    const missing = await createZoneTemplate(as)
    const third = await addTemplateRecord(as, missing, '@', 'NS', '[NS3]')
    const long = await createZoneTemplate(as)
    const label = 'x'.repeat(60)
    const far = await addTemplateRecord(as, long, `${label}.${label}.[ZONE]`, 'A', '192.0.2.1')
    const broken = await createZoneTemplate(as)
    await addTemplateRecord(as, broken, 'www', 'CNAME', 'a.[ZONE]')
    await addTemplateRecord(as, broken, 'www', 'A', '192.0.2.1')
    const before = await rowCounts()
    for (const [template, name, message] of [
      [
        missing,
        zoneNamed(),
        `Record ${third} of the zone template (@ NS): [NS3] has no value (setting dns.ns3)`,
      ],
      [long, `${label}.${label}.${zoneNamed()}`, `Record ${far} of the zone template`],
      [broken, zoneNamed(), 'a CNAME must be the only record of its name'],
    ] as const) {
      const response = await as.post('/zones', { name, template })
      response.assertStatus(400)
      assert.include(response.body().message, message)
    }
    assert.deepEqual(await rowCounts(), before)
  })

  test('a hidden template gets 404', async ({ client }) => {
    const foreign = await createZoneTemplate(as)
    const global = await createZoneTemplate(as, { is_global: true })
    const asCreator = caller(client, await person({ permissions: ['zone_master_add'] }))
    const response = await asCreator.post('/zones', { name: zoneNamed(), template: foreign })
    response.assertStatus(404)
    response.assertBodyContains({ message: 'Zone template not found' })
    await expectStatus(asCreator.post('/zones', { name: zoneNamed(), template: global }), 201)
  })

  test('records that run code are only copied if an administrator creates the zone', async ({
    client,
  }) => {
    const template = await createZoneTemplate(as, { is_global: true })
    const lua = 'A "ifportup(443, {\'192.0.2.1\'})"'
    await addTemplateRecord(as, template, 'l', 'LUA', lua)
    const manager = caller(client, await person({ template: 'Zone Manager' }))
    await expectStatus(manager.post('/zones', { name: zoneNamed(), template }), 403)
    await expectStatus(as.post('/zones', { name: zoneNamed(), template }), 201)
  })

  test('a dry run returns the records and creates neither zone nor link', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    const before = await rowCounts()
    const body = { name: zoneNamed(), template, dry_run: true }
    const changes: { type: string }[] = await dataOf(
      as.post('/zones', body),
      'plan.zones.0.changes'
    )
    assert.sameMembers(
      changes.map(({ type }) => type),
      ['SOA', 'A']
    )
    assert.deepEqual(await rowCounts(), before)
    assert.isEmpty(await db.from('zw_zone_template_links').where('template_id', template))
  })

  test('a restored zone is linked to its template again', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    const { id, name } = await createZone(as, { name: zoneNamed(), template })
    assert.equal(await linkedZones(template), 1)
    await as.delete(`/zones/${id}`)
    assert.equal(await linkedZones(template), 0)
    const trash: { id: number; zone_name: string }[] = await dataOf(as.get('/trash'), 'zones')
    const { id: trashId } = trash.find((zone) => zone.zone_name === name)!
    await as.post(`/trash/${trashId}/restore`, {})
    assert.equal(await linkedZones(template), 1)
  })
})

test.group('Zones without a template', (tests) => {
  setUp(tests)

  test('the response warns that name servers are missing', async ({ assert }) => {
    const warnings: { rule: string }[] = await dataOf(
      as.post('/zones', { name: zoneNamed() }),
      'warnings'
    )
    assert.deepEqual(
      warnings.map(({ rule }) => rule),
      ['apex-ns']
    )
  })

  test('with dns.default_ns a new zone gets these name servers, and nothing is missing', async ({
    assert,
  }) => {
    const send = async (body: object) => {
      const response = await fetch(`${baseUrl()}/api/v2/zones`, {
        method: 'POST',
        headers: { 'x-api-key': admin.key },
        body: JSON.stringify(body),
      })
      const { data } = (await response.json()) as {
        data: { zone_id: number; warnings?: { rule: string }[] }
      }
      return data
    }
    const changed = { dns: { default_ns: ['ns1.example.net.', 'ns2.example.net'] } }
    await withSettings(changed, async () => {
      const name = zoneNamed()
      const created = await send({ name })
      assert.isUndefined(created.warnings)
      const soa = `${name} 86400 SOA ns1.example.com hostmaster.example.com # 28800 7200 604800 86400`
      const servers = ['ns1', 'ns2'].map((host) => `${name} 86400 NS ${host}.example.net`)
      assert.deepEqual(await linesOf(created.zone_id), [soa, ...servers].sort())

      const template = await createZoneTemplate(as)
      const { zone_id: id, warnings } = await send({ name: zoneNamed(), template })
      assert.lengthOf(await linesOf(id), 1)
      assert.deepEqual(
        warnings?.map(({ rule }) => rule),
        ['apex-ns']
      )
      const slave = await send({ name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
      assert.isEmpty(await linesOf(slave.zone_id))
    })
  })
})

interface Created {
  zone_id: number
  warnings?: { rule: string }[]
}

test.group('The name servers of a new zone', (group) => {
  setUp(group)

  const OF_TWO = ['ns1.example.net', 'ns2.example.net']
  const cases: [title: string, settings: object, servers: string[]][] = [
    ['are those of dns.default_ns', { default_ns: OF_TWO, ns1: 'a.example.net' }, OF_TWO],
    ['are else dns.ns1 and dns.ns2', { ns1: OF_TWO[0], ns2: OF_TWO[1] }, OF_TWO],
    [
      'are up to four',
      { ns1: 'a.test', ns2: 'b.test', ns3: 'c.test', ns4: 'd.test' },
      ['a.test', 'b.test', 'c.test', 'd.test'],
    ],
    ['are each once', { ns1: 'a.test', ns2: 'a.test' }, ['a.test']],
    ['are not the example hosts of the defaults', {}, []],
    ['are the real one beside an example host', { ns1: 'a.test' }, ['a.test']],
    ['leave out a setting that is empty', { ns1: 'a.test', ns2: '' }, ['a.test']],
  ]
  for (const [title, settings, servers] of cases) {
    test(title, async ({ assert }) => {
      const { json, page } = await withSettings({ dns: settings }, async () => {
        const response = await fetch(`${baseUrl()}/api/v2/zones`, {
          method: 'POST',
          headers: { 'x-api-key': admin.key },
          body: JSON.stringify({ name: zoneNamed() }),
        })
        const { data } = (await response.json()) as { data: Created }
        const client = await signedIn(admin)
        return { json: data, page: await client.get(`/zones/${data.zone_id}`) }
      })
      const lines = await linesOf(json.zone_id)
      const stored = lines.flatMap((line) => / NS (.+)$/.exec(line)?.[1] ?? [])
      assert.deepEqual(stored, servers)
      const rules = (json.warnings ?? []).map(({ rule }) => rule)
      assert.deepEqual(rules, servers.length > 0 ? [] : ['apex-ns'])
      const link = `/zones/${json.zone_id}/records/new?name=@&amp;type=NS`
      assert.equal(page.html.includes(link), servers.length === 0)
    })
  }
})
