import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { FEW_MATCHES } from '#backends/sql/lists/few_matches'
import { LARGE_ZONE } from '#backends/sql/lists/zone_size'
import { COUNTED } from '#web/list_page'
import { caller, expectStatus, makeZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'
import { inside, type Page } from '#tests/support/web/client'

const RECORDS = 12

/** What a page says of where it is. */
const pagerOn = ({ html }: Page) =>
  (/<nav class="pager"[^]*?<\/nav>/.exec(html)?.[0] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test.group('Records of a large zone in the web interface', (group) => {
  group.each.setup(() => {
    const [{ above }, { most }, { behind }] = [LARGE_ZONE, FEW_MATCHES, COUNTED]
    LARGE_ZONE.above = 3
    FEW_MATCHES.most = 2
    COUNTED.behind = 4
    return () => {
      LARGE_ZONE.above = above
      FEW_MATCHES.most = most
      COUNTED.behind = behind
    }
  })

  test('that a text leaves are counted a way behind the page, not all', async ({
    client: api,
    assert,
  }) => {
    const admin = await administrator()
    const as = caller(api, admin)
    const zone = await makeZone(as, { name: `${unique('many').toLowerCase()}.test` })
    const operations = Array.from({ length: RECORDS }, (_, at) => ({
      action: 'create',
      name: `host${at}`,
      type: 'A',
      content: `192.0.2.${at + 1}`,
      ttl: 300,
    }))
    await expectStatus(as.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
    const visitor = await inside(admin)
    const at = (page: number, sort = '') =>
      visitor.get(`/zones/${zone.id}?q=192.0.2&per_page=2&page=${page}&sort=${sort}`)

    const first = await at(1)
    assert.include(pagerOn(first), '1–2 of more than 4')
    assert.notInclude(pagerOn(first), 'Page 1 of')
    assert.include(first.html, 'data-total="-1"')
    assert.include(pagerOn(await at(2)), '3–4 of more than 6')
    const last = pagerOn(await at(6))
    assert.include(last, `11–12 of ${RECORDS}`)
    assert.include(last, 'Page 6 of 6')
    // Now that it is known, it is said.
    assert.include(pagerOn(await at(1)), `1–2 of ${RECORDS}`)

    await at(1, 'content')
    const backends = await app.container.make(BackendManager)
    while (await backends.use().listOrders!.feed());
    assert.include(pagerOn(await at(1, 'content')), '1–2 of more than 4')
    // Whoever asks the API is told how many there are.
    const answer = await as.get(`/zones/${zone.id}/records?q=192.0.2&per_page=2&sort=content:desc`)
    const { pagination } = answer.body() as { pagination: { total: number } }
    assert.equal(pagination.total, RECORDS)
  })
})
