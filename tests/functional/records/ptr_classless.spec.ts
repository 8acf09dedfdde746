// @api-backend
import { randomInt } from 'node:crypto'
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { signedIn } from '#tests/support/web/client'

/** PTR records of networks that are smaller than /24 (RFC 2317). */
test.group('PTR records in classless zones', (group) => {
  let admin: Person
  let as: Caller
  let net: { zone: string; address: (host: number) => string }
  let forward: { id: number; name: string }

  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    const [x, y] = [randomInt(256), randomInt(256)]
    net = { zone: `${y}.${x}.10.in-addr.arpa`, address: (host) => `10.${x}.${y}.${host}` }
    const name = zoneNamed()
    forward = { ...(await createZone(as, { name })), name }
  })

  const add = async (host: number, name = 'a') => {
    const created = await as.post(`/zones/${forward.id}/records`, {
      ...{ name, type: 'A', content: net.address(host), create_ptr: true },
    })
    created.assertStatus(201)
    return created.body().data.record as { id: number | string; ptr_created: boolean }
  }
  const pointersOf = async ({ id }: { id: number }): Promise<string[]> => {
    const records = await dataOf(as.get(`/zones/${id}/records?type=PTR`), 'records')
    return records.map((one: { name: string; content: string }) => {
      return `${one.name} ${one.content.replace(/\.$/, '')}`
    })
  }

  test('a CNAME of the parent zone leads to the name of the PTR record', async ({ assert }) => {
    const parent = await createZone(as, { name: net.zone })
    const part = await createZone(as, { name: `0/25.${net.zone}` })
    await createRecord(as, parent, { name: '10', type: 'CNAME', content: `10.0/25.${net.zone}` })
    const { ptr_created: isCreated } = await add(10)
    assert.isTrue(isCreated)
    assert.deepEqual(await pointersOf(part), [`10.0/25.${net.zone} a.${forward.name}`])
    assert.deepEqual(await pointersOf(parent), [])
  })

  test('without a parent zone the zone of the network has the PTR record: {0} for host {1}')
    .with([
      ['0/25', 10],
      ['128/25', 200],
      ['64-127', 100],
      ['16-28', 20],
      ['254/31', 255],
    ])
    .run(async ({ assert }, [label, host]) => {
      const part = await createZone(as, { name: `${label}.${net.zone}` })
      const { ptr_created: isCreated } = await add(host as number)
      assert.isTrue(isCreated)
      assert.deepEqual(await pointersOf(part), [`${host}.${label}.${net.zone} a.${forward.name}`])
    })

  test('a zone of another network gets no PTR record', async ({ assert }) => {
    const part = await createZone(as, { name: `0/25.${net.zone}` })
    const { ptr_created: isCreated } = await add(200)
    assert.isFalse(isCreated)
    assert.deepEqual(await pointersOf(part), [])
  })

  test('the target may be in a forward zone (RFC 2317, section 5.3)', async ({ assert }) => {
    const parent = await createZone(as, { name: net.zone })
    await createRecord(as, parent, { name: '7', type: 'CNAME', content: `7.rev.${forward.name}` })
    const { ptr_created: isCreated } = await add(7)
    assert.isTrue(isCreated)
    assert.deepEqual(await pointersOf(forward), [`7.rev.${forward.name} a.${forward.name}`])
  })

  test('the PTR record moves with its address, and a CNAME loop ends', async ({ assert }) => {
    const part = await createZone(as, { name: `0/25.${net.zone}` })
    const { id } = await add(10)
    const moved = await as.put(`/zones/${forward.id}/records/${id}`, {
      ...{ content: net.address(11), update_ptr: true },
    })
    moved.assertStatus(200)
    assert.deepEqual(await pointersOf(part), [`11.0/25.${net.zone} a.${forward.name}`])
    for (const [name, to] of [
      ['12', '13'],
      ['13', '12'],
    ]) {
      const content = `${to}.0/25.${net.zone}`
      await createRecord(as, part, { name, type: 'CNAME', content })
    }
    const { ptr_created: isCreated } = await add(12, 'circle')
    assert.isFalse(isCreated)
  })

  test('the page of PTR records creates it in the classless zone', async ({ assert }) => {
    const part = await createZone(as, { name: `0/25.${net.zone}` })
    const address = { name: 'a', type: 'A', content: net.address(10) }
    await createRecord(as, forward, address)
    const client = await signedIn(admin)
    const from = `/zones/${forward.id}/ptr`
    const page = await client.get(from)
    const [, take] = /name="take" value="([^"]+)"/.exec(page.html) ?? []
    assert.isDefined(take, 'one can be made')
    const plan = await client.post(`${from}/plan`, { take }, { from })
    assert.include(plan.html, `10.0/25.${net.zone}`)
    const classless = await client.get(`/zones/${part.id}/ptr`)
    assert.include(classless.html, `a.${forward.name}`)
  })
})
