// @slow
import { test } from '@japa/runner'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import {
  countBytes,
  MAX_FIRST_BYTES,
  recordPaint,
  paintOf,
  type Paint,
} from '#tests/support/browser/paint'
import { reportFigure } from '#tests/support/test_report'

const ZONES = 60
const RECORDS = 120
/** Upper bound of a "good" cumulative layout shift (CLS). */
const MAX_SHIFT = 0.1

const lineOf = (name: string, { lcp, cls, tbt, nodes }: Paint, bytes: number) =>
  [
    name.padEnd(12),
    `LCP ${lcp.toFixed(0).padStart(4)} ms`,
    `CLS ${cls.toFixed(3)}`,
    `TBT ${tbt.toFixed(0).padStart(3)} ms`,
    `${String(nodes).padStart(4)} nodes`,
    `${(bytes / 1000).toFixed(0).padStart(3)} kB first visit`,
  ].join('   ')

test.group('Rendering of the main pages', (group) => {
  group.each.timeout(120_000)

  test('a first visit renders without layout shift and loads little', async ({
    assert,
    client,
  }) => {
    const admin = await administrator()
    const as = caller(client, admin)
    const word = unique('w').slice(0, 10).toLowerCase()
    for (let index = 1; index < ZONES; index++) {
      await createZone(as, { name: `z${index}.${word}.test` })
    }
    const zone = await createZone(as, { name: `main.${word}.test` })
    const operations = Array.from({ length: RECORDS }, (_, index) => ({
      action: 'create',
      name: `host-${index}`,
      type: 'A',
      content: `192.0.2.${index}`,
      ttl: 3_600,
    }))
    for (const some of [operations.slice(0, RECORDS / 2), operations.slice(RECORDS / 2)]) {
      const path = `/zones/${zone.id}/records/bulk`
      await expectStatus(as.post(path, { operations: some, comment: 'Moved here' }), 200)
    }
    const pages = {
      'overview': '/',
      'zone list': '/zones',
      'zone editor': `/zones/${zone.id}`,
      'history': `/zones/${zone.id}/history`,
      'search': `/search?q=${encodeURIComponent('host-1')}`,
      'account': '/account/preferences',
    }
    const inside = await Visitor.openWindow()
    await inside.signIn(admin)
    const cookies = await inside.context.cookies()

    for (const [name, path] of Object.entries({ 'sign in': '/login', ...pages })) {
      // The browser cache is empty, as on a first visit. The server has rendered the page before.
      const visitor = await Visitor.openWindow()
      const { page, context } = visitor
      if (path !== '/login') await context.addCookies(cookies)
      const answer = await page.request.get(path)
      assert.equal(answer.status(), 200, name)
      await recordPaint(page)
      const bytesOf = countBytes(page)
      const paint = await paintOf(page, path)
      const bytes = await bytesOf()
      reportFigure(lineOf(name, paint, bytes))
      assert.equal(page.url(), new URL(path, page.url()).href)
      assert.isAbove(paint.lcp, 0, `LCP of ${name}`)
      assert.isAtMost(paint.cls, MAX_SHIFT, `CLS of ${name}`)
      assert.isBelow(bytes, MAX_FIRST_BYTES, `bytes of ${name}`)
      await visitor.countElements(assert)
      assert.deepEqual(visitor.complaints, [], name)
      await visitor.leave()
    }
    await inside.leave()
  })
})
