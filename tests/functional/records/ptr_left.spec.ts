// @api-backend(all)
import { randomInt } from 'node:crypto'
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'

test.group('PTR records that remain after a deletion of address records', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  let reverse: { id: number; name: string }
  let at: (host: number) => string
  let id: number

  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    const [x, y] = [randomInt(256), randomInt(256)]
    at = (host) => `10.${x}.${y}.${host}`
    reverse = await createZone(as, { name: `${y}.${x}.10.in-addr.arpa` })
    zone = await createZone(as, { name: zoneNamed() })
    const created = await createRecord(as, zone, {
      ...{ name: 'a', type: 'A', content: at(1), ttl: 60, create_ptr: true },
    })
    id = created.id
  })

  const path = () => `/zones/${zone.id}/records/${id}`
  const messages = (body: object): string[] =>
    [...JSON.stringify(body).matchAll(/"rule":"ptr-left"[^}]*?"message":"([^"]*)"/g)].map(
      ([, message]) => message
    )
  const rrset = (...contents: string[]) =>
    as.put(`/zones/${zone.id}/rrsets`, {
      ...{ name: 'a', type: 'A', ttl: 60 },
      records: contents.map((content) => ({ content })),
    })
  const bulk = (...operations: object[]) =>
    as.post(`/zones/${zone.id}/records/bulk`, { operations })
  const ends = () => ({ action: 'delete', id })

  const CHANGES: [what: string, change: () => ReturnType<Caller['put']>, count: number][] = [
    ['another address', () => as.put(path(), { content: at(2) }), 1],
    ['a dry run of another address', () => as.put(`${path()}?dry_run=true`, { content: at(2) }), 1],
    ['another type', () => as.put(path(), { type: 'AAAA', content: '2001:db8::1' }), 1],
    ['another name', () => as.put(path(), { name: 'b' }), 1],
    ['an RRset without it', () => rrset(at(3), at(4)), 1],
    ['the end in a bulk', () => bulk(ends()), 1],
    ['a dry run of the end', () => as.delete(`${path()}?dry_run=true`), 1],
    ['an RRset with it', () => rrset(at(1), at(4)), 0],
    ['another TTL', () => as.put(path(), { ttl: 120 }), 0],
    ['a disabled record', () => as.put(path(), { disabled: true }), 0],
    ['a moved PTR record', () => as.put(path(), { content: at(2), update_ptr: true }), 0],
    [
      'a dry run with a moved PTR record',
      () => as.put(`${path()}?dry_run=true`, { content: at(2), update_ptr: true }),
      0,
    ],
    [
      'the same address given back under another id',
      () => bulk(ends(), { action: 'create', name: 'a', type: 'A', content: at(1), ttl: 60 }),
      0,
    ],
  ]

  for (const [what, change, count] of CHANGES) {
    test(`${what}: ${count} warning(s)`, async ({ assert }) => {
      const response = await change()
      assert.isBelow(response.status(), 300, response.text())
      const warnings = messages(response.body())
      assert.lengthOf(new Set(warnings), count, response.text())
      if (count > 0) {
        assert.include(warnings[0], `the PTR record 1.${reverse.name} in the zone ${reverse.name}`)
        assert.include(warnings[0], `a.${zone.name}`)
      }
    })
  }

  test('a PTR record with another host gets no warning', async ({ assert }) => {
    const [pointer] = await dataOf(as.get(`/zones/${reverse.id}/records?type=PTR`), 'records')
    const moved = await as.put(`/zones/${reverse.id}/records/${pointer.id}`, {
      content: 'other.example.net.',
    })
    moved.assertStatus(200)
    const changed = await as.put(path(), { content: at(2) })
    assert.deepEqual(messages(changed.body()), [])
  })

  test('no warning reveals a hidden zone', async ({ client, assert }) => {
    const editor = await owner(zone, ['zone_content_view_own', 'zone_content_edit_own'])
    const changed = await caller(client, editor).put(path(), { content: at(2) })
    changed.assertStatus(200)
    assert.deepEqual(messages(changed.body()), [])
  })

  test('more than 100 addresses are not looked up', async ({ assert }) => {
    const many = Array.from({ length: 101 }, (_, host) => at(host + 1))
    const filled = await rrset(...many)
    filled.assertStatus(200)
    const emptied = await rrset(at(200))
    emptied.assertStatus(200)
    assert.deepEqual(messages(emptied.body()), [])
    await rrset(...many.slice(0, 100))
    const fewer = await rrset(at(200))
    assert.lengthOf(messages(fewer.body()), 1)
  })
})
