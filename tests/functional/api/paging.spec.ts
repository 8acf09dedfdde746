// @databases @api-backend(all)
import { test } from '@japa/runner'
import { caller, type Caller, createRecord, createZone, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'

interface List {
  path: string
  member: string
  names: string[]
}

/** [query, names from, to, pagination] on a list of five. Without per_page there is no pagination. */
const PAGES: [query: string, from: number, to: number, current?: number, perPage?: number][] = [
  ['', 0, 5],
  ['?per_page=0', 0, 5],
  ['?per_page=', 0, 5],
  ['?per_page=-5', 0, 5],
  ['?per_page=abc', 0, 5],
  ['?per_page=1.5', 0, 5],
  ['?page=2', 0, 5],
  ['?limit=1', 0, 5],
  ['?per_page=2', 0, 2, 1, 2],
  ['?per_page=2&page=1', 0, 2, 1, 2],
  ['?per_page=2&page=2', 2, 4, 2, 2],
  ['?per_page=2&page=3', 4, 5, 3, 2],
  ['?per_page=2&page=99', 5, 5, 99, 2],
  ['?per_page=2&page=0', 0, 2, 1, 2],
  ['?per_page=2&page=-7', 0, 2, 1, 2],
  ['?per_page=2&page=x', 0, 2, 1, 2],
  ['?per_page=5', 0, 5, 1, 5],
  ['?per_page=10000', 0, 5, 1, 10_000],
  ['?per_page=10001', 0, 5, 1, 10_000],
  ['?per_page=99999999', 0, 5, 1, 10_000],
  ['?per_page=99999999999', 0, 5, 1, 10_000],
  ['?per_page=1&page=99999999999', 5, 5, 99_999_999_999, 1],
]

test.group('Paging', (group) => {
  let as: Caller
  let lists: List[]
  group.each.setup(async (t) => {
    const owner = await person({ template: 'Zone Manager' })
    as = caller(t.context.client, owner)
    const zones: { id: number; name: string }[] = []
    for (let i = 0; i < 5; i++) {
      zones.push(await createZone(as, { name: zoneNamed(`page${i}`) }))
    }
    const soa = await dataOf(as.get(`/zones/${zones[0].id}/records`), 'records.0')
    const records = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'A', content: '192.0.2.1' }))
    for (const record of records.toReversed()) {
      await createRecord(as, zones[0], record)
    }
    const path = `/zones/${zones[0].id}/records`
    const names = [...records.map(({ name }) => `${name}.${zones[0].name}`), soa.name]
    lists = [
      { path: '/zones', member: 'zones', names: zones.map(({ name }) => name) },
      { path, member: 'records', names },
    ]
  })

  test('page and per_page cut lists', async ({ assert }) => {
    for (const { path, member, names } of lists) {
      for (const [query, from, to, current, perPage] of PAGES) {
        const response = await as.get(`${path}${query}`)
        response.assertStatus(200)
        const found = response.body().data[member].map((item: { name: string }) => item.name)
        assert.deepEqual(found, names.slice(from, to), `${member}${query}`)
        assert.deepEqual(
          response.body().pagination,
          current &&
            perPage && {
              current_page: current,
              per_page: perPage,
              total: 5,
              last_page: Math.ceil(5 / perPage),
            },
          `${member}${query}`
        )
      }
    }
  })

  test('an empty list has one page, and pagination only on request', async ({ client, assert }) => {
    const nobody = caller(client, await person())
    const wholeResponse = await nobody.get('/zones')
    assert.deepEqual(wholeResponse.body().data.zones, [])
    assert.isUndefined(wholeResponse.body().pagination)
    const page = await nobody.get('/zones?per_page=10')
    assert.deepEqual(page.body().pagination, {
      current_page: 1,
      per_page: 10,
      total: 0,
      last_page: 1,
    })
  })

  test('zones are found by their exact name in any spelling', async ({ assert }) => {
    const [{ names }] = lists
    for (const spelling of [names[2], names[2].toUpperCase(), `${names[2]}.`]) {
      const response = await as.get(`/zones?name=${spelling}&per_page=10`)
      const found = response.body().data.zones.map((zone: { name: string }) => zone.name)
      assert.deepEqual(found, [names[2]])
      assert.equal(response.body().pagination.total, 1)
    }
    const part = await as.get(`/zones?name=${names[2].slice(0, -1)}`)
    assert.deepEqual(part.body().data.zones, [])
    for (const wild of ['%25', '_', '*', "' or 1=1 --"]) {
      const response = await as.get(`/zones?name=${wild}`)
      assert.deepEqual(response.body().data.zones, [])
    }
  })

  test('records are found by type in either case', async ({ assert }) => {
    const [, { path, names }] = lists
    for (const type of ['A', 'a']) {
      const response = await as.get(`${path}?type=${type}&per_page=3`)
      const found = response.body().data.records.map((record: { name: string }) => record.name)
      assert.deepEqual(found, names.slice(0, 3))
      assert.equal(response.body().pagination.total, 4)
    }
    assert.deepEqual(await dataOf(as.get(`${path}?type=MX`), 'records'), [])
    assert.lengthOf(await dataOf(as.get(`${path}?type=`), 'records'), 5)
  })
})
