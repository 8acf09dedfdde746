// @api-backend
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { caller, expectStatus, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { nameServerDatabase } from '#tests/support/app/backend'
import { unique } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'
import { PowerDnsAutoprimaries } from '#backends/powerdns_api/autoprimaries'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { SqlAutoprimaries } from '#backends/sql/autoprimaries'
import { AutoprimaryExists, AutoprimaryChanged } from '#backends/contract/autoprimaries'
import { PowerDns } from '#tests/support/powerdns'

const PATH = '/autoprimaries'

test.group('Autoprimaries', (group) => {
  let as: Caller
  let nameserver: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    nameserver = `${unique('ns')}.example`
  })

  const stored = () => nameServerDatabase().from('supermasters').where('nameserver', nameserver)
  const eventsOf = async () => {
    const events = [
      ...(await eventsWith({ action: 'autoprimary.added' })),
      ...(await eventsWith({ action: 'autoprimary.changed' })),
      ...(await eventsWith({ action: 'autoprimary.removed' })),
    ]
    return events.filter(({ detail }) => JSON.stringify(detail).includes(nameserver))
  }

  test('autoprimaries are added, listed, changed and removed with audit events', async ({
    assert,
  }) => {
    const wanted = {
      ip: '2001:DB8:0::53',
      nameserver: `${nameserver.toUpperCase()}.`,
      account: 'a',
    }
    const added = await as.post(PATH, wanted)
    added.assertStatus(201)
    const first = { ip: '2001:db8::53', nameserver, account: 'a' }
    assert.deepEqual(added.body().data.autoprimary, first)
    const listResponse = await as.get(`${PATH}?q=${nameserver}`)
    const item = { id: `${first.ip}/${nameserver}`, ...first }
    assert.deepEqual(listResponse.body().data.autoprimaries, [item])

    const path = `${PATH}/2001:db8:0:0::53/${nameserver}`
    const changed = await as.put(path, { account: 'b' })
    assert.deepEqual(changed.body().data.autoprimary, { ...first, account: 'b' })
    await expectStatus(as.put(path, { account: 'b' }), 200)
    const moved = await as.put(path, { ip: '192.0.2.53' })
    assert.equal(moved.body().data.autoprimary.ip, '192.0.2.53')
    await expectStatus(as.put(path, { account: 'c' }), 404)

    await expectStatus(as.delete(`${PATH}/192.0.2.53/${nameserver}.`), 204)
    assert.isEmpty(await stored())
    const told = await eventsOf()
    assert.sameMembers(
      told.map(({ action }) => action),
      ['autoprimary.added', 'autoprimary.changed', 'autoprimary.changed', 'autoprimary.removed']
    )
  })

  test('an address and name server pair exists once', async ({ assert }) => {
    const one = { ip: '192.0.2.1', nameserver }
    await expectStatus(as.post(PATH, one), 201)
    await expectStatus(as.post(PATH, { ...one, account: 'x' }), 409)
    await expectStatus(as.post(PATH, { ...one, ip: '192.0.2.2' }), 201)
    await expectStatus(as.put(`${PATH}/192.0.2.2/${nameserver}`, { ip: '192.0.2.1' }), 409)
    assert.lengthOf(await stored(), 2)
    assert.lengthOf(await eventsOf(), 2)
  })

  for (const [what, body, field] of [
    ['no address', { ip: '192.0.2.256' }, 'ip'],
    ['a network', { ip: '192.0.2.0/24' }, 'ip'],
    ['no name', { nameserver: 'a..b' }, 'nameserver'],
    ['an address as name', { nameserver: '192.0.2.1' }, 'nameserver'],
    ['a long account', { account: 'x'.repeat(41) }, 'account'],
    ['a number', { ip: 7 }, 'ip'],
  ] as const) {
    test(`refuses ${what}`, async ({ assert }) => {
      const wanted = { ip: '192.0.2.9', nameserver, ...body }
      const response = await as.post(PATH, wanted)
      assert.equal(response.status(), 400)
      assert.include(response.body().message, field)
      assert.isEmpty(await stored())
    })
  }

  test('a dry run writes nothing', async ({ assert }) => {
    await expectStatus(as.post(`${PATH}?dry_run=true`, { ip: '192.0.2.3', nameserver }), 200)
    assert.isEmpty(await stored())
    assert.isEmpty(await eventsOf())
  })

  test('autoprimaries require their own permissions', async ({ client }) => {
    const viewer = await person({ permissions: ['supermaster_view'] })
    const adder = await person({ permissions: ['supermaster_add'] })
    const one = { ip: '192.0.2.4', nameserver }
    await expectStatus(caller(client, viewer).post(PATH, one), 403)
    await expectStatus(caller(client, adder).post(PATH, one), 201)
    await expectStatus(caller(client, adder).get(PATH), 403)
    await expectStatus(caller(client, viewer).get(PATH), 200)
    await expectStatus(caller(client, adder).delete(`${PATH}/192.0.2.4/${nameserver}`), 403)
    const editor = await person({ permissions: ['supermaster_edit'] })
    await expectStatus(caller(client, editor).delete(`${PATH}/192.0.2.4/${nameserver}`), 204)
  })
})

test.group('Autoprimaries in the database', () => {
  test('a write is refused if the row changed since it was read', async ({ assert }) => {
    const store = new SqlAutoprimaries(() => db.connection())
    const nameserver = `${unique('ns')}.example`
    const stored = () => db.from('supermasters').where('nameserver', nameserver).select('account')
    const first = { ip: '192.0.2.21', nameserver, account: '' }
    const second = { ...first, account: 'two' }
    await db.transaction(async (trx) => {
      await store.add(first, trx)
      await store.replace(first, second, trx)
    })
    for (const write of [
      (trx: TransactionClientContract) => store.replace(first, { ...first, account: 'x' }, trx),
      (trx: TransactionClientContract) => store.replace(first, { ...first, ip: '::1' }, trx),
      (trx: TransactionClientContract) => store.remove(first, trx),
    ]) {
      await assert.rejects(() => db.transaction(write), AutoprimaryChanged)
      assert.deepEqual(await stored(), [{ account: 'two' }])
    }
    await db.transaction((trx) => store.remove(second, trx))
    assert.isEmpty(await stored())
  }).tags(['@sql'])
})

test.group('Autoprimaries of a PowerDNS server', (group) => {
  let server: PowerDns
  let store: PowerDnsAutoprimaries
  group.setup(async () => {
    server = await PowerDns.start({ api: true })
    const url = new URL(server.apiUrl!).origin
    store = new PowerDnsAutoprimaries(
      new PowerDnsClient({ url, key: server.apiKey!, serverName: 'localhost' })
    )
    return () => server.stop()
  })

  test('autoprimaries are created, replaced and deleted over the API', async ({ assert }) => {
    const nameserver = `${unique('ns')}.example`
    const ours = async () => {
      const all = await store.list()
      return all.filter((one) => one.nameserver === nameserver)
    }
    const first = { ip: '192.0.2.11', nameserver, account: 'one' }
    await store.add(first)
    await assert.rejects(() => store.add(first), AutoprimaryExists)
    await store.replace(first, { ...first, account: 'two' })
    assert.deepEqual(await ours(), [{ ...first, account: 'two' }])
    const third = { ...first, account: 'three' }
    await assert.rejects(() => store.replace(first, third), AutoprimaryChanged)
    await assert.rejects(() => store.remove(first), AutoprimaryChanged)
    assert.deepEqual(await ours(), [{ ...first, account: 'two' }])
    await store.replace({ ...first, account: 'two' }, { ...first, ip: '2001:db8::11' })
    assert.deepEqual(await ours(), [{ ...first, ip: '2001:db8::11' }])
    await store.remove({ ...first, ip: '2001:db8::11' })
    assert.isEmpty(await ours())
  })
})
