// @databases @api-backend(all)
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { journalOf, ownersOf, serialOf, setSerial } from '#tests/support/app/zones/zones'
import { exportLines } from '#tests/support/app/zones/zone_files'

let admin: Person
let as: Caller
let zone: { id: number; name: string }

test.group('Clones of zones', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const file = [
      '$TTL 300',
      `@ SOA ns1.${zone.name}. hostmaster.${zone.name}. 7 1h 15m 4w 5m`,
      `@ NS ns1`,
      '@ NS ns.example.net.',
      'ns1 A 192.0.2.53 ; the first one',
      '@ MX 10 mail',
      '_sip._tcp SRV 5 10 5060 mail',
      'mail A 192.0.2.25',
      'www CNAME @',
      `@ TXT "include:${zone.name}"`,
      ';disabled old 300 IN A 192.0.2.9',
      '* AAAA 2001:db8::1',
    ].join('\n')
    const doneResponse = await as.post(`/zones/${zone.id}/import`, { zone_file: `${file}\n` })
    doneResponse.assertStatus(200)
  })

  test('a clone has equal records at the same relative names', async ({ assert }) => {
    await setSerial(zone.id, 4_000_000_000)
    const name = zoneNamed('clone')
    const created = await as.post(`/zones/${zone.id}/clone`, { name: name.toUpperCase() })
    created.assertStatus(201)
    const id = created.body().data.zone_id as number
    const [from, to] = await Promise.all([exportLines(as, zone.id), exportLines(as, id)])
    const moved = (line: string) =>
      line.includes('TXT')
        ? line
        : line.replaceAll(zone.name, name).replace(/ \d+ 3600 900 /, ' N 3600 900 ')
    assert.deepEqual(
      to.map((line) => line.replace(/ \d+ 3600 900 /, ' N 3600 900 ')),
      from.map(moved)
    )
    assert.include(to.join('\n'), '; the first one')
    assert.include(to.join('\n'), `include:${zone.name}`)
    const serial = await serialOf(id)
    assert.equal(String(serial).slice(-2), '00')
    assert.isBelow(serial, 4_000_000_000)
    assert.deepEqual(await ownersOf(id), { users: [admin.id], groups: [] })
    const [entry] = await journalOf(id)
    assert.containsSubset(entry, { channel: 'api', username: admin.username })
    const history = await as.get(`/zones/${id}/history`)
    const { origin } = history.body().data.entries[0]
    assert.deepEqual(origin, { kind: 'clone', id: zone.id })
  })

  test('taken, missing and invalid names are refused', async ({ assert }) => {
    const path = `/zones/${zone.id}/clone`
    const [takenResponse, emptyResponse, invalidResponse] = [
      await as.post(path, { name: zone.name }),
      await as.post(path, { description: 'x' }),
      await as.post(path, { name: 'a..b' }),
    ]
    assert.deepEqual(
      [takenResponse.status(), emptyResponse.status(), invalidResponse.status()],
      [409, 400, 400]
    )
    assert.include(emptyResponse.body().message, "'name'")
    const missing = await as.post('/zones/999999999/clone', { name: zoneNamed() })
    assert.equal(missing.status(), 404)
  })

  test('a dry run creates nothing', async ({ assert }) => {
    const name = zoneNamed('clone')
    const planned = await as.post(`/zones/${zone.id}/clone?dry_run=true`, { name })
    planned.assertStatus(200)
    assert.isAbove(planned.body().data.plan.zones[0].changes.length, 5)
    const listResponse = await as.get(`/zones?name=${name}`)
    assert.lengthOf(listResponse.body().data.zones, 0)
  })

  test('a clone requires the view permission on the source and the permission to create', async ({
    client,
    assert,
  }) => {
    const path = `/zones/${zone.id}/clone`
    const name = zoneNamed('clone')
    const viewer = await owner(zone, ['zone_content_view_own'])
    const creator = await person({ permissions: ['zone_master_add', 'zone_content_view_own'] })
    const both = await owner(zone, ['zone_content_view_own', 'zone_master_add'])
    const refused = await caller(client, viewer).post(path, { name })
    const hidden = await caller(client, creator).post(path, { name })
    assert.deepEqual([refused.status(), hidden.status()], [403, 404])
    const blind = await keyFor(both, { operations: ['create'] })
    const unseen = await caller(client, { ...both, key: blind.key }).post(path, { name })
    assert.equal(unseen.status(), 403)
    const created = await caller(client, both).post(path, { name })
    created.assertStatus(201)
    assert.deepEqual(await ownersOf(created.body().data.zone_id), { users: [both.id], groups: [] })
  })

  test('only administrators clone data that only administrators write', async ({
    client,
    assert,
  }) => {
    const content = 'A "ifportup(443, {\'192.0.2.1\'})"'
    await createRecord(as, zone, { name: 'lua', type: 'LUA', content })
    const both = await owner(zone, [
      'zone_content_view_own',
      'zone_content_edit_own',
      'zone_master_add',
    ])
    const path = `/zones/${zone.id}/clone`
    const refused = await caller(client, both).post(path, { name: zoneNamed('clone') })
    refused.assertStatus(403)
    assert.include(refused.body().message, 'LUA')
    const created = await as.post(path, { name: zoneNamed('clone') })
    created.assertStatus(201)
  })
})
