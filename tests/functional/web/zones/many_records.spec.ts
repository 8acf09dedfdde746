import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { MAX_FIRST_RECORDS } from '#backends/sql/lists/first_page'
import { MAX_MATCHES_READ_WHOLE } from '#backends/sql/lists/matching_ids'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { MIN_CACHED_SEARCH } from '#lists/sql/paginate'
import { MAX_COUNTED } from '#web/page/list_page'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { signedIn, type Page } from '#tests/support/web/client'

const RECORDS = 12

/** Returns the text of the pagination on a page. */
const pagerOn = ({ html }: Page) =>
  (/<nav class="pager"[^]*?<\/nav>/.exec(html)?.[0] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test.group('Records of a large zone in the web interface', (group) => {
  group.each.setup(() => {
    const [{ records: above }, { count: maximum }, { count: looked }] = [
      MAX_SMALL_ZONE,
      MAX_MATCHES_READ_WHOLE,
      MAX_FIRST_RECORDS,
    ]
    const [{ ms }, { behind }] = [MIN_CACHED_SEARCH, MAX_COUNTED]
    MAX_COUNTED.behind = 4
    MIN_CACHED_SEARCH.ms = 0
    MAX_SMALL_ZONE.records = 3
    MAX_MATCHES_READ_WHOLE.count = 2
    return () => {
      MIN_CACHED_SEARCH.ms = ms
      MAX_SMALL_ZONE.records = above
      MAX_MATCHES_READ_WHOLE.count = maximum
      MAX_FIRST_RECORDS.count = looked
      MAX_COUNTED.behind = behind
    }
  })

  test('filtered records are counted up to some pages ahead until the scan is complete', async ({
    client: api,
    assert,
  }) => {
    MAX_FIRST_RECORDS.count = 7
    const admin = await administrator()
    const as = caller(api, admin)
    const zone = await createZone(as, { name: `${unique('many').toLowerCase()}.test` })
    const operations = Array.from({ length: RECORDS }, (_, at) => ({
      action: 'create',
      name: `host${at}`,
      type: 'A',
      content: `192.0.2.${at + 1}`,
      ttl: 300,
    }))
    await expectStatus(as.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
    const visitor = await signedIn(admin)
    const at = (page: number, sort = '') =>
      visitor.get(`/zones/${zone.id}?q=192.0.2&per_page=2&page=${page}&sort=${sort}`)

    const first = await at(1)
    assert.include(pagerOn(first), '1–2 of more than 4')
    assert.notInclude(pagerOn(first), 'Page 1 of')
    assert.include(first.html, 'data-total="-1"')
    // Neighbouring pages count up to the same limit.
    assert.include(pagerOn(await at(2)), '3–4 of more than 8')
    assert.include(pagerOn(await at(3)), '5–6 of more than 8')
    const backends = await app.container.make(BackendManager)
    for (const sort of ['', 'content', 'name:desc']) {
      assert.include(pagerOn(await at(6, sort)), 'Page 6 of 6')
      // The total is cached now and displayed.
      const page = await at(1, sort)
      assert.include(pagerOn(page), `1–2 of ${RECORDS}`)
      assert.include(page.html, `data-total="${RECORDS}"`)
      assert.include(pagerOn(await at(3, sort)), `5–6 of ${RECORDS}`)
      while (await backends.use().listOrders!.buildNext());
    }
    // The API always returns the total.
    const answer = await as.get(`/zones/${zone.id}/records?q=192.0.2&per_page=2&sort=content:desc`)
    const { pagination } = answer.body() as { pagination: { total: number } }
    assert.equal(pagination.total, RECORDS)
  })

  test('filtered pages start after the first match even if it was deleted', async ({
    client: api,
    assert,
  }) => {
    const as = caller(api, await administrator())
    const zone = await createZone(as, { name: `${unique('first').toLowerCase()}.test` })
    const operations = ['a', 'b', 'c', 'd', 'e', 'f'].map((label) => ({
      action: 'create',
      name: `${label}.deep`,
      type: 'A',
      content: '192.0.2.1',
      ttl: 300,
    }))
    await expectStatus(as.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
    const names = async (page: number) => {
      const path = `/zones/${zone.id}/records?q=deep&per_page=2&page=${page}`
      const answer = await as.get(path)
      const { data } = answer.body() as { data: { records: { name: string }[] } }
      return data.records.map(({ name }) => name[0]).join('')
    }
    assert.deepEqual([await names(1), await names(2)], ['ab', 'cd'])
    assert.equal(await names(1), 'ab')
    // Another tool deletes the record without a change of the serial.
    await db.from('records').where('name', `a.deep.${zone.name}`).delete()
    assert.deepEqual([await names(1), await names(2), await names(3)], ['bc', 'de', 'f'])
  })
})
