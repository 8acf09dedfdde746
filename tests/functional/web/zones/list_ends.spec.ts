import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sealAll } from '#audit/sealer'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { signedIn, unescaped, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let client: WebClient

test.group('Pages after the end of a list', (group) => {
  group.setup(async () => {
    admin = await administrator()
    await db.table('zw_preferences').insert({ user_id: admin.id, rows_per_page: 2 })
    client = await signedIn(admin)
  })
  group.each.setup((t) => {
    as = caller(t.context.client, admin)
  })

  test('a page after the end redirects to the last page with the same order and search', async ({
    assert,
  }) => {
    const word = unique('w').slice(0, 10).toLowerCase()
    const zones = [0, 1, 2].map((index) => createZone(as, { name: `z${index}.${word}.test` }))
    const [zone] = await Promise.all(zones)
    await Promise.all([person(), person()])
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.2' })
    // Later events come from other users.
    await sealAll()
    const lists = {
      '/zones': `q=${word}&sort=name%3Adesc`,
      [`/zones/${zone.id}`]: 'sort=name',
      [`/zones/${zone.id}/history`]: 'user=',
      '/users': 'sort=username',
      '/audit': `action=zone.created&user=${admin.username}`,
    }
    for (const [path, query] of Object.entries(lists)) {
      const { status, location } = await client.get(`${path}?${query}&page=90000000`)
      assert.equal(status, 302, path)
      const address = new URL(location ?? '', 'http://here')
      assert.equal(address.pathname, path)
      const wanted = new URLSearchParams(query)
      for (const [name, value] of wanted) assert.equal(address.searchParams.get(name) ?? '', value)
      const { status: there, html } = await client.get(location ?? '')
      assert.equal(there, 200)
      assert.include(html, 'rel="prev"', path)
      assert.notInclude(html, 'rel="next"', path)
    }
  })

  test('pages of an empty list are empty, and partial requests for rows are redirected too', async ({
    assert,
  }) => {
    const emptyPage = await client.get(`/zones?q=${unique('none')}&page=3`)
    assert.equal(emptyPage.status, 200)
    assert.include(unescaped(emptyPage.html), 'No matching zones')
    const zone = await createZone(as, { name: zoneNamed() })
    const part = await client.get(`/zones/${zone.id}?page=3`, { 'x-fragment': 'records' })
    assert.equal(part.status, 302)
    assert.equal(part.location, `/zones/${zone.id}?page=1`)
  })
})
