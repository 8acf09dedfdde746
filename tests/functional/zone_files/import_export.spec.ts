// @databases @api-backend
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { recordTypes } from '#dns/records/registry'
import { baseUrl, caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { SOA, fileOf, setsOf, wholeFile } from '#tests/support/app/zones/zone_files'
import { lastEntryOf, serialOf, setSerial, stateOf } from '#tests/support/app/zones/zones'
import { RECORD_TABLES } from '#tests/unit/dns/support/record_tables'

type Zone = { id: number; name: string }

/** Sends a zone file as the request body. The response is untyped as in the API client. */
async function importFile({ key }: Person, zone: Zone, text: string, query = '') {
  const response = await fetch(`${baseUrl()}/api/v2/zones/${zone.id}/import${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'text/dns; charset=utf-8' },
    body: text,
  })
  return { status: response.status, body: (await response.json()) as any }
}

test.group('Import of zone files', (group) => {
  let admin: Person
  let as: Caller
  let zone: Zone
  group.each.timeout(60_000)
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  const put = (text: string, overrides: object = {}) =>
    as.post(`/zones/${zone.id}/import`, { zone_file: text, ...overrides })
  const exported = async () => {
    const response = await as.get(`/zones/${zone.id}/export`)
    return response.body().data.zone_file as string
  }

  test('replace sets the zone to the content of the file, in one change', async ({ assert }) => {
    await createRecord(as, zone, { name: 'old', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 60 })
    await setSerial(zone.id, 2020010100)
    const response = await put(
      wholeFile(
        '@ NS ns1.example.net.',
        'www 300 A 192.0.2.1',
        'www 300 A 192.0.2.2',
        ';disabled off 60 IN A 192.0.2.3'
      ),
      { reason: 'ticket 12' }
    )
    response.assertStatus(200)
    const [change] = response.body().data.change.zones
    assert.equal(change.serial_before, 2020010100)
    assert.equal(change.serial_after, await serialOf(zone.id))
    const operations = Object.fromEntries(
      change.changes.map(({ name, type, operations: done }: never) => [`${name} ${type}`, done])
    )
    assert.deepEqual(operations, {
      [`${zone.name} NS`]: ['create'],
      [`${zone.name} SOA`]: ['update'],
      [`off.${zone.name} A`]: ['create'],
      [`old.${zone.name} A`]: ['delete'],
      [`www.${zone.name} A`]: ['create', 'update'],
    })
    const sets = setsOf(zone.name, await exported())
    const www = sets.find(({ name }) => name === `www.${zone.name}`)
    assert.equal(www?.ttl, 300)
    const off = sets.find(({ name }) => name === `off.${zone.name}`)
    assert.isTrue(off?.records[0].disabled)
    const entry = await db.from('zw_journal').where('zone_id', zone.id).orderBy('entry', 'desc')
    assert.containsSubset(entry[0], {
      reason: 'ticket 12',
      origin_kind: 'import',
      origin_id: 'api',
      channel: 'api',
    })
  })

  test('merge sets the RRsets of the file, and keeps all others', async ({ assert }) => {
    await createRecord(as, zone, { name: 'old', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const response = await put('www 60 A 192.0.2.7\n', { mode: 'merge' })
    response.assertStatus(200)
    const contents = setsOf(zone.name, await exported()).map(
      ({ name, type, records }) => `${name} ${type} ${records.map(({ content }) => content)}`
    )
    assert.includeMembers(contents, [
      `old.${zone.name} A 192.0.2.1`,
      `www.${zone.name} A 192.0.2.7`,
    ])
    assert.lengthOf(contents, 3)
  })

  test('a zone file may be the body, with its options in the query', async ({ assert }) => {
    const text = wholeFile('www A 192.0.2.1')
    const before = await stateOf(zone.id)
    const plan = await importFile(admin, zone, text, '?dry_run=true')
    assert.equal(plan.status, 200)
    assert.deepEqual(await stateOf(zone.id), before)
    const { plan_hash: hash, zones } = plan.body.data.plan
    const types = zones[0].changes.map(({ type }: { type: string }) => type)
    assert.sameMembers(types, ['SOA', 'A'])
    const done = await importFile(admin, zone, text, `?mode=merge&plan_hash=${hash}`)
    assert.equal(done.status, 200)
    assert.equal(done.body.data.change.zones[0].entry, 2)
    const moved = await importFile(admin, zone, text, `?plan_hash=${hash}`)
    assert.equal(moved.status, 409)
    const odd = await importFile(admin, zone, text, '?mode=both')
    assert.equal(odd.status, 400)
    assert.include(odd.body.message, 'must be merge or replace')
  })

  test('importing an export changes nothing', async ({ assert }) => {
    await put(wholeFile('@ NS ns1.example.net.', 'www A 192.0.2.1', 'x TXT "a" "b"'))
    const before = await stateOf(zone.id)
    const text = await exported()
    for (const mode of ['replace', 'merge']) {
      const plan = await put(text, { mode, dry_run: true })
      assert.deepEqual(plan.body().data.plan.zones[0].changes, [])
      const doneResponse = await put(text, { mode })
      doneResponse.assertStatus(200)
      assert.isNull(doneResponse.body().data.change.zones[0].entry)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('If-Match refuses an import into a changed zone', async () => {
    const read = await as.get(`/zones/${zone.id}`)
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const response = await put(wholeFile()).header('if-match', read.header('etag') ?? '')
    response.assertStatus(412)
  })

  test('the serial continues from the stored one', async ({ assert }) => {
    await setSerial(zone.id, 100)
    const soa = (serial: number, refresh = 10800) =>
      fileOf(
        `@ 3600 IN SOA ns1.example.net. hostmaster.example.net. ${serial} ${refresh} 3600 604800 3600`
      )
    await put(soa(50))
    assert.equal(await serialOf(zone.id), 101)
    await put(soa(50))
    assert.equal(await serialOf(zone.id), 101)
    await put(soa(101, 7200))
    assert.equal(await serialOf(zone.id), 102)
    const newer = await put(soa(500, 7200))
    assert.equal(newer.body().data.change.zones[0].serial_after, 500)
    assert.equal(await serialOf(zone.id), 500)
    // A difference of more than half of the number space is a lower serial (RFC 1982).
    await put(soa(4_000_000_000, 3600))
    assert.equal(await serialOf(zone.id), 501)
  })

  test('a file that replaces a zone must have exactly one SOA record at the apex', async ({
    assert,
  }) => {
    const before = await stateOf(zone.id)
    for (const text of ['www 60 A 192.0.2.1\n', '', `;disabled ${SOA}\n`]) {
      const response = await put(text || '; nothing\n')
      response.assertStatus(400)
      assert.match(response.body().message, /exactly one SOA record at the apex/)
    }
    const two = await put(fileOf(SOA, SOA.replace(' 7 ', ' 8 ')))
    two.assertStatus(400)
    assert.deepEqual(await stateOf(zone.id), before)
    const merged = await put('www 60 A 192.0.2.1\n', { mode: 'merge' })
    merged.assertStatus(200)
  })

  test('all errors of a file are returned by line, and nothing changes', async ({ assert }) => {
    const before = await stateOf(zone.id)
    const response = await put(
      fileOf(
        SOA,
        'a 60 A 192.0.2',
        'b 60 FOO x',
        'c 60 A 192.0.2.1',
        'd.example.net. 60 A 192.0.2.1'
      )
    )
    response.assertStatus(400)
    const { message, data } = response.body()
    assert.match(message, /^The zone file has 3 errors; the first is: Line 2/)
    assert.deepEqual(
      data.problems.map(({ line, field, severity }: Record<string, string>) => [
        line,
        field,
        severity,
      ]),
      [
        [2, 'content', 'error'],
        [3, 'type', 'error'],
        [5, 'name', 'error'],
      ]
    )
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('the number of returned errors is limited, and the response says so', async ({ assert }) => {
    const lines = Array.from({ length: 250 }, (_, at) => `h${at} 60 A nonsense`)
    const response = await put(fileOf(SOA, ...lines))
    response.assertStatus(400)
    assert.match(response.body().message, /^The zone file has more than 100 errors/)
    assert.lengthOf(response.body().data.problems, 101)
  })

  test('broken rules between records are returned by line', async ({ assert }) => {
    const response = await put(
      wholeFile(
        'www CNAME a.example.net.',
        'www A 192.0.2.1',
        'b.www A 192.0.2.1',
        'x.b CNAME y',
        'x.b TXT "z"'
      )
    )
    response.assertStatus(400)
    const { problems } = response.body().data
    assert.deepEqual(
      problems.map(({ line, field }: Record<string, string>) => [line, field]),
      [
        [3, 'cname-alone'],
        [6, 'cname-alone'],
      ]
    )
  })

  test('a type that the name server does not support is an error on each of its lines', async ({
    assert,
  }) => {
    const type = recordTypes().find(
      ({ since, writer }) => since !== undefined && writer === 'editor'
    )
    if (!type) throw new Error('Every type is served by the oldest PowerDNS: this test can go')
    const [content] = RECORD_TABLES[type.type].canonical
    const response = await put(
      wholeFile('www A 192.0.2.1', `a ${type.type} ${content}`, `b ${type.type} ${content}`)
    )
    response.assertStatus(400)
    const { problems } = response.body().data
    assert.deepEqual(
      problems.map(({ line }: { line: number }) => line),
      [4, 5]
    )
    assert.include(problems[0].message, `needs PowerDNS ${type.since}`)
  })

  test('records that only the name server writes are ignored', async ({ assert }) => {
    const signature = 'A 8 2 300 20300101000000 20200101000000 1 example.net. AAAA'
    await db.table('records').insert({
      domain_id: zone.id,
      name: zone.name,
      type: 'RRSIG',
      content: signature,
      ttl: 300,
      prio: 0,
    })
    const response = await put(wholeFile(`www RRSIG ${signature}`, 'www A 192.0.2.1'))
    response.assertStatus(200)
    const [{ warnings }] = response.body().data.change.zones
    const warning = warnings.find(({ rule }: { rule: string }) => rule === 'server-type')
    assert.match(warning.message, /^Line 3: RRSIG is written only by the name server/)
    const rows = await db.from('records').where({ domain_id: zone.id, type: 'RRSIG' })
    assert.deepEqual(
      rows.map(({ name }) => name),
      [zone.name]
    )
  }).tags(['@sql'])

  test('the plan includes the warnings of the file', async ({ assert }) => {
    const text = wholeFile('www 60 A 192.0.2.1', 'www 300 A 192.0.2.2')
    const plan = await put(text, { dry_run: true })
    const [{ warnings }] = plan.body().data.plan.zones
    assert.isTrue(
      warnings.some(
        ({ rule, message }: Record<string, string>) =>
          rule === 'zone-file' && message.includes('the lowest is used')
      )
    )
  })

  test('permissions and key restrictions apply to the resulting changes', async ({
    client,
    assert,
  }) => {
    const manager = await person({ template: 'Zone Manager' })
    const ownZone = await createZone(caller(client, manager), { name: zoneNamed() })
    const text = wholeFile('www A 192.0.2.1')
    const reading = await keyFor(manager, { readOnly: true })
    const creating = await keyFor(manager, { operations: ['view', 'create'] })
    const merge = (key: { key: string }, file: string) =>
      caller(client, key).post(`/zones/${ownZone.id}/import`, { zone_file: file, mode: 'merge' })
    const refused = await merge(reading, 'www 60 A 192.0.2.1\n')
    refused.assertStatus(403)
    const added = await merge(creating, 'www 60 A 192.0.2.1\n')
    added.assertStatus(200)
    const changed = await merge(creating, 'www 60 A 192.0.2.2\n')
    changed.assertStatus(403)
    const stranger = await person({ template: 'Zone Manager' })
    const hidden = await caller(client, stranger).post(`/zones/${ownZone.id}/import`, {
      zone_file: text,
    })
    hidden.assertStatus(404)
    const lua = `l 60 LUA ${RECORD_TABLES.LUA.canonical[0]}\n`
    const forbidden = await merge(manager, lua)
    forbidden.assertStatus(403)
    const byAdmin = await as.post(`/zones/${ownZone.id}/import`, { zone_file: lua, mode: 'merge' })
    byAdmin.assertStatus(200)
    // Existing records are no change and require no permission.
    const secondResponse = await merge(manager, lua)
    secondResponse.assertStatus(200)
    const { username } = await lastEntryOf(ownZone.id)
    assert.equal(username, admin.username)
  })

  test('invalid zone files are refused', async ({ assert }) => {
    const missing = await as.post(`/zones/${zone.id}/import`, { mode: 'merge' })
    missing.assertStatus(400)
    assert.include(missing.body().message, "Field 'zone_file' is required")
    const binary = await importFile(admin, zone, `${SOA}\nwww 60 TXT "a\0b"\n`)
    assert.equal(binary.status, 400)
  })
})

test.group('Export of zones', (group) => {
  let as: Caller
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
  })

  test('an export is a zone file on request, else JSON', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const json = await as.get(`/zones/${zone.id}/export`)
    const text = json.body().data.zone_file
    assert.match(text, new RegExp(`^\\$ORIGIN ${zone.name}\\.\n`))
    const responses = [
      await as.get(`/zones/${zone.id}/export`).header('accept', 'text/dns'),
      await as.get(`/zones/${zone.id}/export?format=text`),
    ]
    for (const response of responses) {
      response.assertStatus(200)
      response.assertHeader('content-type', 'text/dns; charset=utf-8')
      response.assertHeader('content-disposition', `attachment; filename="${zone.name}.zone"`)
    }
    const odd = await as.get(`/zones/${zone.id}/export?format=xml`)
    odd.assertStatus(400)
  })

  test('an export requires the view permission on the zone', async ({ client }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const stranger = await person({ template: 'Zone Manager' })
    const hidden = await caller(client, stranger).get(`/zones/${zone.id}/export`)
    hidden.assertStatus(404)
    const creating = await keyFor(admin, { operations: ['create'] })
    const refused = await caller(client, creating).get(`/zones/${zone.id}/export`)
    refused.assertStatus(403)
  })
})
