// @api-backend(all)
import { test } from '@japa/runner'
import { baseUrl, caller, dataOf, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const LISTS = ['type[]=A', 'type[b]=A', 'type=A&type=B', 'type%5B%5D=A', 'type[]', 'a[b][c]=1']

test.group('Query parameters', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  for (const query of LISTS) {
    test(`?${query} is not a single value: every route gets 400 and changes nothing`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed() })
      const record = await createRecord(as, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
      const before = await stateOf(zone.id)
      const address = { name: 'b', type: 'A', content: '192.0.2.2' }
      const calls: [method: string, path: string, body?: object][] = [
        ['GET', '/zones'],
        ['POST', '/zones', { name: zoneNamed() }],
        ['GET', `/zones/${zone.id}`],
        ['PUT', `/zones/${zone.id}`, { description: 'changed' }],
        ['DELETE', `/zones/${zone.id}`],
        ['GET', `/zones/${zone.id}/records`],
        ['POST', `/zones/${zone.id}/records`, address],
        ['GET', `/zones/${zone.id}/records/${record.id}`],
        ['PUT', `/zones/${zone.id}/records/${record.id}`, address],
        ['DELETE', `/zones/${zone.id}/records/${record.id}`],
      ]
      for (const [method, path, body] of calls) {
        const response = await fetch(`${baseUrl()}/api/v2${path}?${query}`, {
          method,
          headers: { 'x-api-key': admin.key },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const answer = (await response.json()) as { message: string }
        assert.equal(response.status, 400, `${method} ${path}`)
        assert.match(answer.message, /^Query parameter '(type|a)' must be a single value$/)
      }
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('an invalid query is refused before authentication', async ({ assert }) => {
    const response = await fetch(`${baseUrl()}/api/v2/zones?type[]=A`)
    assert.equal(response.status, 400)
  })

  for (const text of ['\u{1f4a9}', 'é'.repeat(300), "' or 1=1 --", '%', '*', 'a'.repeat(7_000)]) {
    test(`a filter that cannot match returns no rows: ${text.slice(0, 12)}`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed() })
      const query = encodeURIComponent(text)
      assert.deepEqual(await dataOf(as.get(`/zones?name=${query}`), 'zones'), [])
      assert.deepEqual(
        await dataOf(as.get(`/zones/${zone.id}/records?type=${query}`), 'records'),
        []
      )
    })
  }

  test('a comma is part of a filter value', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    for (const comma of [',', '%2C']) {
      const query = `name=${zone.name}${comma}other.test`
      assert.deepEqual(await dataOf(as.get(`/zones?${query}`), 'zones'), [])
    }
    const sorted = as.get(`/groups?sort=name:desc,id&q=a,b`)
    assert.deepEqual(await dataOf(sorted, 'groups'), [])
  })

  test('unknown parameters are ignored', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const response = await as.get(`/zones?name=${zone.name}&limit=0&nonsense=1`)
    response.assertStatus(200)
    assert.lengthOf(response.body().data.zones, 1)
    assert.isUndefined(response.body().pagination)
  })
})
