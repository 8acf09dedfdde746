// @api-backend(all)
import { randomInt } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'
import { APPROVAL_NEEDED_MESSAGE } from '#access/approval'
import { BackendManager } from '#backends/manager'
import { caller, dataOf, expectStatus, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { withReviewSettings } from '#tests/support/app/review'
import { lastEntryOf, serialOf, stateOf } from '#tests/support/app/zones/zones'
import { LinkedPtr } from '#zones/records/linked_ptr'

let admin: Person

/** Returns a reverse zone that no other test uses: 10.x.y.0/24. */
function network() {
  const [x, y] = [randomInt(256), randomInt(256)]
  return { zone: `${y}.${x}.10.in-addr.arpa`, address: (host: number) => `10.${x}.${y}.${host}` }
}

async function setUp(client: ApiClient) {
  const as = caller(client, admin)
  const net = network()
  const reverse = await createZone(as, { name: net.zone })
  const zone = await createZone(as, { name: zoneNamed() })
  const pointers = () => dataOf(as.get(`/zones/${reverse.id}/records?type=PTR`), 'records')
  /** Creates `a` with its PTR record. */
  const addressWithPtr = () =>
    createRecord(as, zone, { name: 'a', type: 'A', content: net.address(1), create_ptr: true })
  /** Changes the content of an address record and its linked PTR record. */
  const moveWithPtr = async (id: string | number, content: string) => {
    const fields = { content, update_ptr: true }
    const moved = await as.put(`/zones/${zone.id}/records/${id}`, fields)
    moved.assertStatus(200)
    return moved
  }
  return { as, net, reverse, zone, pointers, addressWithPtr, moveWithPtr }
}

const TEXT = { name: 'text', type: 'TXT', content: 'text' }

const namesOf = (records: { name: string }[]) => records.map(({ name }) => name)

/** Runs `work` once, between the plan of a linked PTR update and its write. */
function meanwhile(cleanup: (work: () => void) => void, work: () => Promise<unknown>): void {
  let isDone = false
  class Interrupted extends LinkedPtr {
    override async update(...args: Parameters<LinkedPtr['update']>) {
      const plan = await super.update(...args)
      if (!isDone) {
        isDone = true
        await work()
      }
      return plan
    }
  }
  app.container.swap(
    LinkedPtr,
    async (resolver) => new Interrupted(await resolver.make(BackendManager))
  )
  cleanup(() => app.container.restore(LinkedPtr))
}

test.group('Linked PTR records', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('warnings of the reverse zone are returned', async ({ client, assert }) => {
    const { as, net, reverse, zone } = await setUp(client)
    await createRecord(as, reverse, { name: '77', type: 'NS', content: 'ns1.example.org' })
    const created = await as.post(`/zones/${zone.id}/records`, {
      ...{ name: 'a', type: 'A', content: net.address(77), create_ptr: true },
    })
    created.assertStatus(201)
    const rules = (body: { data: { warnings?: { rule: string }[] } }) =>
      (body.data.warnings ?? []).map(({ rule }) => rule)
    assert.include(rules(created.body()), 'occluded')
    const other = await createRecord(as, zone, { name: 'b', type: 'A', content: net.address(5) })
    const moved = await as.put(`/zones/${zone.id}/records/${other.id}`, {
      content: net.address(77),
      update_ptr: true,
    })
    moved.assertStatus(200)
    assert.include(rules(moved.body()), 'occluded')
  })

  test('create_ptr writes both records in one change set, each with its journal entry', async ({
    client,
    assert,
  }) => {
    const { as, net, reverse, zone, pointers } = await setUp(client)
    const before = await serialOf(reverse.id)
    const record = await createRecord(as, zone, {
      name: 'a',
      type: 'A',
      content: net.address(7),
      ttl: 300,
      create_ptr: true,
    })
    assert.isTrue(record.ptr_created)
    const [pointer] = await pointers()
    assert.equal(pointer.name, `7.${reverse.name}`)
    assert.equal(pointer.content, `a.${zone.name}`)
    assert.equal(pointer.ttl, 300)
    assert.isAbove(await serialOf(reverse.id), before)
    const entry = await lastEntryOf(reverse.id)
    assert.deepEqual(
      entry.changes.map(({ name, type }) => [name, type]),
      [[`7.${reverse.name}`, 'PTR']]
    )
  })

  test('an AAAA record gets a PTR record with its nibbles', async ({ client, assert }) => {
    const as = caller(client, admin)
    const hex = randomInt(0x1000, 0xffff).toString(16)
    const reverse = await createZone(as, {
      name: `${[...hex].reverse().join('.')}.8.b.d.0.1.0.0.2.ip6.arpa`,
    })
    const zone = await createZone(as, { name: zoneNamed() })
    const record = await createRecord(as, zone, {
      name: 'a',
      type: 'AAAA',
      content: `2001:db8:${hex}::5`,
      create_ptr: true,
    })
    assert.isTrue(record.ptr_created)
    const [pointer] = await dataOf(as.get(`/zones/${reverse.id}/records?type=PTR`), 'records')
    assert.match(pointer.name, /^5(\.0){19}\./)
  })

  test('without a reverse zone the record is written, and the message has the reason', async ({
    client,
    assert,
  }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const response = await as.post(`/zones/${zone.id}/records`, {
      name: 'a',
      type: 'A',
      content: '198.18.0.1',
      create_ptr: true,
    })
    response.assertStatus(201)
    assert.isFalse(response.body().data.record.ptr_created)
    assert.include(response.body().message, 'PTR record creation failed: there is no reverse zone')
  })

  test('an identical PTR record is not written twice; another name gets a warning', async ({
    client,
    assert,
  }) => {
    const { as, net, zone, pointers } = await setUp(client)
    const input = { type: 'A', content: net.address(9), create_ptr: true }
    await createRecord(as, zone, { name: 'a', ...input })
    const second = await as.post(`/zones/${zone.id}/records`, { name: 'b', ...input })
    second.assertStatus(201)
    assert.include(second.body().message, 'more than one PTR record')
    await as.delete(`/zones/${zone.id}/records/${second.body().data.record.id}`)
    const secondResponse = await as.post(`/zones/${zone.id}/records`, { name: 'b', ...input })
    assert.isFalse(secondResponse.body().data.record.ptr_created)
    assert.include(secondResponse.body().message, 'already exists')
    assert.lengthOf(await pointers(), 2)
  })

  test('update_ptr moves the PTR record with the address and the name', async ({
    client,
    assert,
  }) => {
    const { as, net, reverse, zone, pointers } = await setUp(client)
    const record = await createRecord(as, zone, {
      name: 'a',
      type: 'A',
      content: net.address(1),
      create_ptr: true,
    })
    const moved = await as.put(`/zones/${zone.id}/records/${record.id}`, {
      name: 'b',
      content: net.address(2),
      update_ptr: true,
    })
    moved.assertStatus(200)
    assert.isTrue(moved.body().data.record.ptr_updated)
    const after = await pointers()
    assert.deepEqual(
      after.map(({ name, content }: { name: string; content: string }) => [name, content]),
      [[`2.${reverse.name}`, `b.${zone.name}`]]
    )
  })

  test('update_ptr removes the old PTR record if no new one can be written', async ({
    client,
    assert,
  }) => {
    const { pointers, addressWithPtr, moveWithPtr } = await setUp(client)
    const { id } = await addressWithPtr()
    const moved = await moveWithPtr(id, '198.18.0.1')
    const { content, ptr_updated: isUpdated } = moved.body().data.record
    assert.deepEqual([content, isUpdated], ['198.18.0.1', false])
    assert.include(moved.body().message, 'PTR record update failed: there is no reverse zone')
    assert.deepEqual(await pointers(), [])
  })

  test('update_ptr removes the old PTR record if the new one already exists', async ({
    client,
    assert,
  }) => {
    const { as, net, reverse, zone, pointers, addressWithPtr, moveWithPtr } = await setUp(client)
    const { id } = await addressWithPtr()
    await createRecord(as, reverse, { name: '2', type: 'PTR', content: `a.${zone.name}` })
    const moved = await moveWithPtr(id, net.address(2))
    assert.include(moved.body().message, 'already exists')
    assert.deepEqual(namesOf(await pointers()), [`2.${reverse.name}`])
  })

  test('update_ptr removes the old PTR record if a rule forbids the new one', async ({
    client,
    assert,
  }) => {
    const { as, net, reverse, pointers, addressWithPtr, moveWithPtr } = await setUp(client)
    const { id } = await addressWithPtr()
    // A disabled CNAME is not followed, but it still forbids other records at its name.
    const alias = { name: '2', type: 'CNAME', content: `2.0-63.${reverse.name}`, disabled: true }
    await createRecord(as, reverse, alias)
    const moved = await moveWithPtr(id, net.address(2))
    const { content, ptr_updated: isUpdated } = moved.body().data.record
    assert.deepEqual([content, isUpdated], [net.address(2), false])
    assert.include(moved.body().message, 'PTR record update failed: ')
    assert.deepEqual(await pointers(), [])
  })

  test('update_ptr removes the old PTR record if the record is no address any more', async ({
    client,
    assert,
  }) => {
    const { as, zone, pointers, addressWithPtr } = await setUp(client)
    const path = `/zones/${zone.id}/records`
    const [{ id }, other] = [await addressWithPtr(), await createRecord(as, zone, TEXT)]
    const text = { type: 'TXT', content: 'none', update_ptr: true }
    const moved = await as.put(`${path}/${id}`, text)
    moved.assertStatus(200)
    assert.isFalse(moved.body().data.record.ptr_updated)
    assert.include(moved.body().message, 'PTR record update failed: TXT records have no PTR record')
    assert.deepEqual(await pointers(), [])
    const never = await as.put(`${path}/${other.id}`, { ...text, content: 'never' })
    assert.notInclude(never.body().message, 'PTR')
  })

  test('a PTR record that requires review is skipped, and the message says so', async ({
    client,
    assert,
  }) => {
    const { as, net, reverse, zone, pointers, addressWithPtr } = await setUp(client)
    const { id } = await addressWithPtr()
    await withReviewSettings({ protected_names: [`**.${reverse.name}`] }, async () => {
      const fields = { name: 'b', type: 'A', content: net.address(2), create_ptr: true }
      const added = await as.post(`/zones/${zone.id}/records`, fields)
      const changed = await as.put(`/zones/${zone.id}/records/${id}`, {
        content: net.address(3),
        update_ptr: true,
      })
      for (const [response, status, noun] of [
        [added, 201, 'creation'],
        [changed, 200, 'update'],
      ] as const) {
        response.assertStatus(status)
        const why = `PTR record ${noun} failed: ${APPROVAL_NEEDED_MESSAGE}`
        assert.include(response.body().message, why)
      }
      assert.deepEqual(namesOf(await pointers()), [`1.${reverse.name}`])
    })
  })

  test('update_ptr writes the PTR record if the record was no address before', async ({
    client,
    assert,
  }) => {
    const { as, net, reverse, zone, pointers, moveWithPtr } = await setUp(client)
    const { id } = await createRecord(as, zone, { name: 'a', type: 'A', content: net.address(1) })
    await db.from('records').where('id', id).update({ content: 'not an address' })
    const moved = await moveWithPtr(id, net.address(2))
    assert.isTrue(moved.body().data.record.ptr_updated)
    assert.deepEqual(namesOf(await pointers()), [`2.${reverse.name}`])
  }).tags(['@sql'])

  test('update_ptr keeps a PTR record that another user changed concurrently', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { as, net, reverse, zone, pointers, addressWithPtr, moveWithPtr } = await setUp(client)
    const record = await addressWithPtr()
    const [pointer] = await pointers()
    const other = `other.${zone.name}`
    meanwhile(cleanup, () =>
      expectStatus(as.put(`/zones/${reverse.id}/records/${pointer.id}`, { content: other }), 200)
    )
    const moved = await moveWithPtr(record.id, net.address(2))
    assert.isTrue(moved.body().data.record.ptr_updated)
    const after = await pointers()
    assert.sameDeepMembers(
      after.map(({ name, content }: { name: string; content: string }) => [name, content]),
      [
        [`1.${reverse.name}`, other],
        [`2.${reverse.name}`, `a.${zone.name}`],
      ]
    )
  })

  test('of two concurrent updates with update_ptr, the later one moves the PTR record of the first', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { as, net, reverse, zone, pointers, addressWithPtr } = await setUp(client)
    const { id } = await addressWithPtr()
    const move = (host: number) =>
      as.put(`/zones/${zone.id}/records/${id}`, { content: net.address(host), update_ptr: true })
    meanwhile(cleanup, () => expectStatus(move(3), 200))
    const moved = await move(2)
    moved.assertStatus(200)
    const { content, ptr_updated: isMoved } = moved.body().data.record
    assert.deepEqual([content, isMoved], [net.address(2), true])
    const after = await pointers()
    assert.deepEqual(
      after.map(({ name, content: host }: { name: string; content: string }) => [name, host]),
      [[`2.${reverse.name}`, `a.${zone.name}`]]
    )
  })

  test('a foreign reverse zone counts as missing', async ({ client, assert }) => {
    const { net, reverse } = await setUp(client)
    const before = await stateOf(reverse.id)
    const as = caller(client, await person({ template: 'Zone Manager' }))
    const zone = await createZone(as, { name: zoneNamed() })
    const record = await createRecord(as, zone, {
      name: 'a',
      type: 'A',
      content: net.address(3),
      create_ptr: true,
    })
    assert.isFalse(record.ptr_created)
    assert.deepEqual(await stateOf(reverse.id), before)
  })

  test('a key for the forward zone alone does not reach the reverse zone', async ({
    client,
    assert,
  }) => {
    const { net, reverse, zone } = await setUp(client)
    const before = await stateOf(reverse.id)
    const as = caller(client, await keyFor(admin, { zones: [zone] }))
    const record = await createRecord(as, zone, {
      name: 'a',
      type: 'A',
      content: net.address(4),
      create_ptr: true,
    })
    assert.isFalse(record.ptr_created)
    assert.deepEqual(await stateOf(reverse.id), before)
  })

  test('a refused record writes no PTR record', async ({ client, assert }) => {
    const { as, net, reverse, zone } = await setUp(client)
    await createRecord(as, zone, { name: 'c', type: 'CNAME', content: 'www.example.org' })
    const before = await stateOf(reverse.id)
    const response = await as.post(`/zones/${zone.id}/records`, {
      name: 'c',
      type: 'A',
      content: net.address(5),
      create_ptr: true,
    })
    response.assertStatus(400)
    assert.deepEqual(await stateOf(reverse.id), before)
  })
})
