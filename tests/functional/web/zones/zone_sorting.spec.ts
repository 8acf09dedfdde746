// @databases
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SHORT } from '#zones/list/sorted_list'
import { ZoneOrders } from '#zones/list/sort_table'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'
import { wordsOf } from '#tests/support/web/review'
import { signedIn, type Page } from '#tests/support/web/client'

/** Returns the zone ids of a list in order. */
const idsOn = ({ html }: Page) =>
  [...html.matchAll(/class="row-link" href="\/zones\/(\d+)"/g)].map(([, id]) => Number(id))

test.group('Sorting of the zone list in the web interface', () => {
  test('short lists are sorted by every column, longer ones by the columns whose values the user may see', async ({
    client: api,
    assert,
    cleanup,
  }) => {
    const admin = await administrator()
    const as = caller(api, admin)
    const client = await signedIn(admin)
    const word = unique('w').slice(0, 10).toLowerCase()
    const zone = (label: string) => createZone(as, { name: `${label}.${word}.test` })
    const [one, two, three] = [await zone('c'), await zone('b'), await zone('a')]
    await createRecord(as, two, { name: 'x', type: 'A', content: '192.0.2.1' })
    await createRecord(as, two, { name: 'y', type: 'A', content: '192.0.2.2' })
    await createRecord(as, one, { name: 'x', type: 'A', content: '192.0.2.1' })
    const newOwner = await person()
    await db
      .from('zw_users')
      .where('id', newOwner.id)
      .update({ username: unique('aaa') })
    const stamp = { created_at: '2026-01-01' }
    await db.from('zw_zone_owners').where('zone_id', two.id).delete()
    await db.table('zw_zone_owners').insert({ zone_id: two.id, user_id: newOwner.id, ...stamp })
    const sortedBy = async (sort: string, visitor = client) =>
      idsOn(await visitor.get(`/zones?q=${word}&sort=${sort}`))
    assert.deepEqual(await sortedBy('records:desc'), [two.id, one.id, three.id])
    assert.deepEqual(await sortedBy('serial:desc'), [two.id, one.id, three.id])
    assert.deepEqual(await sortedBy('changed'), [three.id, two.id, one.id])
    const [first] = await sortedBy('owners')
    assert.equal(first, two.id)
    assert.deepEqual(await sortedBy('dnssec,name'), [three.id, two.id, one.id])
    // The order reveals nothing to users without history permissions.
    const viewer = await person({ permissions: ['zone_content_view_others'] })
    const byViewer = await sortedBy('changed', await signedIn(viewer))
    assert.deepEqual(byViewer, [one.id, two.id, three.id])
    const second = await client.get(`/zones?q=${word}&sort=records:desc&per_page=2&page=2`)
    assert.deepEqual(idsOn(second), [three.id])
    assert.include(second.html, 'aria-sort="descending"')
    const unknown = await client.get(`/zones?q=${word}&sort=colour:up`)
    assert.equal(unknown.status, 200)
    assert.deepEqual(idsOn(unknown), idsOn(await client.get(`/zones?q=${word}`)))
    assert.include(wordsOf(unknown), 'Invalid sort field "colour"')
    const refused = await as.get('/zones?sort=records')
    assert.equal(refused.status(), 400)

    // A page updates a few hundred stale rows. Rows of earlier test files come first.
    const sortTable = await app.container.make(ZoneOrders)
    while (await sortTable.updateStale());
    const { most } = SHORT
    SHORT.most = 2
    cleanup(() => {
      SHORT.most = most
    })
    const sortsBy = (page: Page, field: string) =>
      new RegExp(`<th[^>]*>\\s*<a href="[^"]*sort=${field}`).test(page.html)
    const long = await client.get(`/zones?q=${word}&sort=records:desc`)
    assert.deepEqual(idsOn(long), [two.id, one.id, three.id])
    assert.include(long.html, 'aria-sort="descending"')
    assert.notInclude(long.html, 'can be sorted by one column only')
    for (const field of ['serial', 'changed', 'owners', 'dnssec', 'name']) {
      assert.isTrue(sortsBy(long, field), field)
    }
    assert.deepEqual(await sortedBy('serial:desc'), [two.id, one.id, three.id])
    assert.deepEqual(await sortedBy('changed'), [three.id, two.id, one.id])
    const twice = await client.get(`/zones?q=${word}&sort=dnssec,name`)
    assert.equal(twice.status, 200)
    assert.deepEqual(idsOn(twice), [three.id, two.id, one.id])
    assert.include(twice.html, 'can be sorted by one column only')
    const visitor = await signedIn(viewer)
    const hidden = await visitor.get(`/zones?q=${word}&sort=changed`)
    assert.deepEqual(idsOn(hidden), [three.id, two.id, one.id])
    assert.include(hidden.html, 'can be sorted by one column only')
    assert.isFalse(sortsBy(hidden, 'changed'))
    assert.isTrue(sortsBy(hidden, 'serial'))
  })
})
