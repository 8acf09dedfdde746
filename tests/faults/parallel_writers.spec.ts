// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { type Answer, ApiCalls, dataOf, isSuccess } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { assertRectified, assertServed, assertWhole } from '#tests/support/faults/verdict'
import {
  faultsOfWrites,
  loadZones,
  planWrites,
  send,
  unexpectedResponses,
  Workload,
} from '#tests/support/faults/workload'
import { contradictionsIn, entriesOf, recordRowsOf } from '#tests/support/faults/zone_history'
import { PowerDns } from '#tests/support/powerdns'
import { Random } from '#tests/support/random'

const range = (length: number) => Array.from({ length }, (_, i) => i)
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)

async function createZone(
  api: ApiCalls,
  name = zoneNamed()
): Promise<{ id: number; name: string }> {
  return { id: dataOf(await api.post('/zones', { name })).zone_id, name }
}

test.group('Parallel writers', (group) => {
  let dns: PowerDns
  let servers: ServerProcess[]
  /** Two servers on one database. */
  let nodes: [ApiCalls, ApiCalls]

  group.setup(async () => {
    const { key } = await administrator()
    dns = await PowerDns.start()
    servers = await Promise.all([ServerProcess.start(), ServerProcess.start()])
    nodes = [new ApiCalls(servers[0].url, key), new ApiCalls(servers[1].url, key)]
    return async () => {
      await Promise.all([dns.stop(), ...servers.map((server) => server.stop())])
    }
  })

  test('50 clients add a record at one name of one server, and all records exist', async ({
    assert,
  }) => {
    const [api] = nodes
    const zone = await createZone(api)
    const answers = await Promise.all(
      range(50).map((i) =>
        api.post(`/zones/${zone.id}/records`, {
          name: '_acme-challenge',
          type: 'TXT',
          content: `"challenge-${i}"`,
        })
      )
    )
    assert.deepEqual(
      statusesOf(answers),
      range(50).map(() => 201)
    )
    const rows = await recordRowsOf(zone.id)
    assert.sameMembers(
      rows.filter(({ type }) => type === 'TXT').map(({ content }) => content),
      range(50).map((i) => `"challenge-${i}"`)
    )
    const ids = answers.map((answer) => dataOf(answer).record.id)
    assert.lengthOf(new Set(ids), 50)
    const entries = await entriesOf(zone.id)
    const serials = entries.map(({ serialAfter }) => serialAfter!)
    assert.lengthOf(serials, 51)
    assert.isAtMost(serials[50] - serials[0], 50)
    await assertWhole(assert, api, zone)
    await assertServed(assert, dns, zone)
  }).timeout(90_000)

  test('50 clients add a record at one name of two servers, and all records exist', async ({
    assert,
  }) => {
    const zone = await createZone(nodes[0])
    const answers = await Promise.all(
      range(50).map((i) =>
        nodes[i % 2].post(`/zones/${zone.id}/records`, {
          name: '_acme-challenge',
          type: 'TXT',
          content: `"challenge-${i}"`,
        })
      )
    )
    assert.deepEqual(
      statusesOf(answers),
      range(50).map(() => 201)
    )
    assert.lengthOf(await recordRowsOf(zone.id), 51)
    await assertWhole(assert, nodes[0], zone)
    await assertWhole(assert, nodes[1], zone)
  }).timeout(90_000)

  test('20 clients add equal records: one is created and 19 get a conflict', async ({ assert }) => {
    const zone = await createZone(nodes[0])
    const record = { name: 'same', type: 'A', content: '192.0.2.1' }
    const answers = await Promise.all(
      range(20).map((i) => nodes[i % 2].post(`/zones/${zone.id}/records`, record))
    )
    assert.sameMembers(statusesOf(answers), [201, ...range(19).map(() => 409)])
    assert.lengthOf(await recordRowsOf(zone.id), 2)
    await assertWhole(assert, nodes[0], zone)
  }).timeout(90_000)

  test('20 writers at two servers with the same entity tag: one succeeds in each round', async ({
    assert,
  }) => {
    const zone = await createZone(nodes[0])
    const path = `/api/v2/zones/${zone.id}/rrsets`
    const { key } = await administrator()
    const call = (node: number, method: string, at: string, headers: object, body?: object) =>
      fetch(`${servers[node].url}${at}`, {
        method,
        headers: { 'x-api-key': key, ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const set = (content: string) => ({ name: 'w', type: 'A', records: [{ content }] })
    await call(0, 'PUT', path, {}, set('192.0.2.1'))
    for (const round of range(3)) {
      const shown = await call(1, 'GET', `${path}/w/A`, {})
      const tag = shown.headers.get('etag')!
      const answers = await Promise.all(
        range(20).map((i) =>
          call(i % 2, 'PUT', path, { 'if-match': tag }, set(`198.51.${round}.${i}`))
        )
      )
      const statuses = answers.map(({ status }) => status)
      assert.sameMembers(statuses, [200, ...range(19).map(() => 412)])
    }
    // Creation of the zone, the first set, and one winner per round.
    assert.lengthOf(await entriesOf(zone.id), 5)
    await assertWhole(assert, nodes[0], zone)
  }).timeout(90_000)

  test('writers of all kinds at two servers lose nothing', async ({ assert }) => {
    const random = new Random(11)
    const wishes = new Workload()
    const zones = await loadZones(nodes[0], [zoneNamed(), zoneNamed()], random, wishes)
    const writes = planWrites(random, wishes, zones, 160)
    await Promise.all(writes.map((write, i) => send(nodes[i % 2], write)))
    assert.deepEqual(unexpectedResponses(writes), [])
    for (const zone of zones) {
      assert.deepEqual(await faultsOfWrites(zone, writes), [])
      await assertWhole(assert, nodes[1], zone)
      await assertRectified(assert, dns, zone)
      await assertServed(assert, dns, zone)
    }
  }).timeout(120_000)

  test('a record that two servers change and delete at once has the state of one of them', async ({
    assert,
  }) => {
    const zone = await createZone(nodes[0])
    const path = `/zones/${zone.id}/records`
    for (const round of range(10)) {
      const creation = await nodes[0].post(path, {
        name: `r${round}`,
        type: 'A',
        content: '192.0.2.1',
      })
      const { id } = dataOf(creation).record
      const [changed, deleted] = await Promise.all([
        nodes[round % 2].put(`${path}/${id}`, { content: '192.0.2.2' }),
        nodes[(round + 1) % 2].delete(`${path}/${id}`),
      ])
      assert.equal(deleted.status, 204)
      assert.include([200, 404], changed.status ?? 0)
      const entries = await entriesOf(zone.id)
      const wasChanged = entries.some(({ changes }) =>
        changes.some(
          ({ name, after }) =>
            name === `r${round}.${zone.name}` && after?.records[0].content === '192.0.2.2'
        )
      )
      assert.equal(changed.status, wasChanged ? 200 : 404, `round ${round}`)
    }
    await assertWhole(assert, nodes[0], zone)
  }).timeout(90_000)

  test('a zone that is deleted while records are added has a complete journal', async ({
    assert,
  }) => {
    for (const round of range(4)) {
      const zone = await createZone(nodes[0])
      const adding = range(16).map((i) =>
        nodes[i % 2].post(`/zones/${zone.id}/records`, {
          name: `h${i}`,
          type: 'A',
          content: '192.0.2.1',
        })
      )
      const deleting = range(2).map((i) => nodes[(round + i) % 2].delete(`/zones/${zone.id}`))
      const added = await Promise.all(adding)
      const deleted = await Promise.all(deleting)
      assert.sameMembers(statusesOf(deleted), [204, 404])
      assert.isTrue(added.every(({ status }) => status === 201 || status === 404))
      assert.deepEqual(await contradictionsIn(zone.id), [])
      const entries = await entriesOf(zone.id)
      // Creation, additions, deletion.
      assert.lengthOf(entries, 2 + added.filter(isSuccess).length)
      assert.isNull(entries.at(-1)!.zoneAfter)
    }
  }).timeout(120_000)

  test('a zone that is renamed while records are added keeps all of them', async ({ assert }) => {
    const zone = await createZone(nodes[0])
    const name = zoneNamed()
    const add = (i: number) =>
      nodes[i % 2].post(`/zones/${zone.id}/records`, {
        name: `h${i}`,
        type: 'A',
        content: '192.0.2.1',
      })
    const [renamed, ...added] = await Promise.all([
      nodes[1].put(`/zones/${zone.id}`, { name }),
      ...range(20).map(add),
    ])
    assert.equal(renamed.status, 200, renamed.text)
    assert.isTrue(added.every(({ status }) => status === 201))
    await assertWhole(assert, nodes[0], { id: zone.id, name })
    await assertRectified(assert, dns, { id: zone.id, name })
    await assertServed(assert, dns, { id: zone.id, name })
    const old = await dns.query(zone.name, 'SOA')
    assert.equal(old.status, 'REFUSED')
  }).timeout(90_000)

  test('one of 20 clients that create the same zone succeeds', async ({ assert }) => {
    const name = zoneNamed()
    const answers = await Promise.all(range(20).map((i) => nodes[i % 2].post('/zones', { name })))
    assert.sameMembers(statusesOf(answers), [201, ...range(19).map(() => 409)])
    const rows = await db.from('domains').where('name', name)
    assert.lengthOf(rows, 1)
    assert.lengthOf(await db.from('zw_zones').where('name', name), 1)
    await assertWhole(assert, nodes[0], { id: Number(rows[0].id), name })
  }).timeout(90_000)

  test('one of two zones that are renamed to the same name gets it', async ({ assert }) => {
    const name = zoneNamed()
    const zones = await Promise.all([createZone(nodes[0]), createZone(nodes[1])])
    const answers = await Promise.all(
      zones.map((zone, i) => nodes[i].put(`/zones/${zone.id}`, { name }))
    )
    assert.sameMembers(statusesOf(answers), [200, 409])
    for (const [i, zone] of zones.entries()) {
      await assertWhole(assert, nodes[0], isSuccess(answers[i]) ? { ...zone, name } : zone)
    }
  }).timeout(90_000)

  test('the servers log no errors', ({ assert }) => {
    for (const server of servers) {
      assert.isTrue(server.isRunning)
      assert.deepEqual(server.complaints(), [])
    }
  })
})
