// @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'

/** Every input reads a target of one label the same way: relative to the zone, with a warning. */
test.group('HTTP API: targets of one label', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }

  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    const name = zoneNamed()
    zone = { ...(await createZone(as, { name })), name }
  })

  const contentsOf = async (type: string): Promise<string[]> => {
    const records = await dataOf(as.get(`/zones/${zone.id}/records?type=${type}`), 'records')
    return records.map(({ content }: { content: string }) => content.replace(/\.$/, ''))
  }

  const isWarned = (body: { data: { warnings?: { rule: string; message: string }[] } }) =>
    body.data.warnings?.some(
      ({ rule, message }) => rule === 'target-short' && message.includes(`mail.${zone.name}.`)
    )

  test('a created record gets a warning', async ({ assert }) => {
    const sent = { name: '@', type: 'MX', content: 'mail', priority: 10, ttl: 60 }
    const created = await as.post(`/zones/${zone.id}/records`, sent)
    created.assertStatus(201)
    assert.isTrue(isWarned(created.body()), 'told')
    assert.deepEqual(await contentsOf('MX'), [`mail.${zone.name}`])
  })

  test('an updated record gets a warning', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { name: 'a', type: 'CNAME', content: 'x.test' })
    const changed = await as.put(`/zones/${zone.id}/records/${id}`, { content: 'mail' })
    changed.assertStatus(200)
    assert.isTrue(isWarned(changed.body()), 'told')
    assert.deepEqual(await contentsOf('CNAME'), [`mail.${zone.name}`])
  })

  test('an RRset gets a warning, and a second write has the same result', async ({ assert }) => {
    const records = [{ content: 'mail', priority: 5 }]
    const body = { name: '@', type: 'MX', ttl: 60, records }
    for (let round = 0; round < 2; round++) {
      const written = await as.put(`/zones/${zone.id}/rrsets`, body)
      written.assertStatus(200)
      assert.isTrue(isWarned(written.body()), `told in round ${round}`)
      assert.deepEqual(await contentsOf('MX'), [`mail.${zone.name}`])
    }
  })

  test('bulk operations get a warning', async ({ assert }) => {
    const operation = { action: 'create', name: 'b', type: 'CNAME', content: 'mail', ttl: 60 }
    const doneResponse = await as.post(`/zones/${zone.id}/records/bulk`, {
      operations: [operation],
    })
    doneResponse.assertStatus(200)
    assert.isTrue(isWarned(doneResponse.body()), 'told')
    assert.deepEqual(await contentsOf('CNAME'), [`mail.${zone.name}`])
  })

  test('change sets get a warning, and also remove such records', async ({ assert }) => {
    const rrset = { name: `c.${zone.name}`, type: 'CNAME', ttl: 60, records: [{ content: 'mail' }] }
    const created = await as.post('/changes', { actions: [{ op: 'add', ...rrset }] })
    created.assertStatus(201)
    assert.deepEqual(await contentsOf('CNAME'), [`mail.${zone.name}`])
    const deleted = await as.post('/changes', { actions: [{ op: 'remove', ...rrset }] })
    deleted.assertStatus(201)
    assert.deepEqual(await contentsOf('CNAME'), [])
  })

  test('zone files get no warning, because relative names are the rule there', async ({
    assert,
  }) => {
    const body = { zone_file: '@ 60 IN MX 10 mail\n', mode: 'merge' }
    const read = await as.post(`/zones/${zone.id}/import`, body)
    read.assertStatus(200)
    assert.deepEqual(await contentsOf('MX'), [`mail.${zone.name}`])
  })

  test('a target with a final dot is a top-level name, and survives export and import', async ({
    assert,
  }) => {
    const sent = { name: '@', type: 'MX', content: 'mail.', priority: 10, ttl: 60 }
    const created = await as.post(`/zones/${zone.id}/records`, sent)
    created.assertStatus(201)
    const rules = created.body().data.warnings.map(({ rule }: { rule: string }) => rule)
    assert.include(rules, 'target-one-label')
    assert.notInclude(rules, 'target-short')
    assert.deepEqual(await contentsOf('MX'), ['mail'])
    const text = await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file')
    assert.match(text, /MX\s+10 mail\.$/m)
    const secondResponse = await as.post(`/zones/${zone.id}/import`, {
      zone_file: text,
      dry_run: true,
    })
    secondResponse.assertStatus(200)
    assert.deepEqual(secondResponse.body().data.plan.zones[0].changes, [])
  })

  test('a client that sends the stored record back does not change it', async ({ assert }) => {
    const sent = { name: '@', type: 'MX', content: 'mail.', priority: 10, ttl: 60 }
    const { id } = await createRecord(as, zone, sent)
    const shown = await dataOf(as.get(`/zones/${zone.id}/records/${id}`), 'record')
    const echo = await as.put(`/zones/${zone.id}/records/${id}`, { ...shown, ttl: 120 })
    echo.assertStatus(200)
    assert.deepEqual(await contentsOf('MX'), ['mail'])
    const set = { name: '@', type: 'MX', ttl: 300, records: [{ content: 'mail', priority: 10 }] }
    const response = await as.put(`/zones/${zone.id}/rrsets`, set)
    response.assertStatus(200)
    assert.deepEqual(await contentsOf('MX'), ['mail'])
  })
})
