// @databases @slow
import { test } from '@japa/runner'
import { withReview } from '#tests/support/app/review'
import { SigningServer } from '#tests/support/app/zones/signing'
import { Visitor } from '#tests/support/browser/browser'
import {
  addressOf,
  fileName,
  INSPECTED_ELSEWHERE,
  NO_PAGES,
  NOWHERE_ELSE,
  OUTSIDE,
  pagePatterns,
  pictured,
  type World,
} from '#tests/support/browser/every_page'
import { endWorld, createWorld, MIRA } from '#tests/support/browser/every_world'
import { storeHostileTexts } from '#tests/support/browser/hostile_texts'
import { ALL_APPEARANCES, ODD, inspectPages, type Visit } from '#tests/support/browser/appearances'

let server: SigningServer
let fixtures: World

/** Additional appearances for screenshots. */
const MORE_APPEARANCES = process.env.SCREENSHOTS
  ? Object.entries(ALL_APPEARANCES).filter(([name]) => name !== 'light')
  : []

test.group('Every page', (group) => {
  group.each.timeout(240_000)
  group.setup(withReview())
  group.setup(async () => {
    server = await SigningServer.start({ APPROVAL_ENABLED: 'true' })
    return async () => {
      await server.stop()
      await endWorld()
    }
  })

  let ready: Promise<void> | undefined
  group.each.setup(async (t) => {
    ready ??= (async () => {
      fixtures = await createWorld(t.context.client, server)
    })()
    await ready
  })

  const visitsOf = (patterns: readonly string[]): Visit[] =>
    patterns.map((pattern) => [fileName(pattern), addressOf(pattern, fixtures)])

  test('the page tables of the tests contain only existing pages', ({ assert }) => {
    const patterns = pagePatterns()
    const named = [NO_PAGES, INSPECTED_ELSEWHERE].flatMap((table) => Object.keys(table))
    assert.includeMembers(patterns, [...named, ...OUTSIDE, ...NOWHERE_ELSE])
  })

  test('each page passes the page checks', async ({ assert }) => {
    const visitor = await Visitor.openWindow({ base: server.url })
    await inspectPages(visitor, assert, visitsOf(OUTSIDE), 'light')
    await visitor.signIn(MIRA)
    const inside = pictured().filter((pattern) => !OUTSIDE.includes(pattern))
    for (const pattern of inside) {
      const path = addressOf(pattern, fixtures)
      const answer = await visitor.page.goto(path)
      assert.equal(answer?.status(), 200, path)
      // Paths without a page would redirect to another page.
      assert.equal(new URL(visitor.page.url()).pathname, path.split('?')[0])
      await visitor.picture(`${fileName(pattern)}-light`)
      await visitor.inspect(assert)
    }
    await visitor.leave()
  })

  test('pages without other tests pass the page checks in dark, small and right-to-left appearance', async ({
    assert,
  }) => {
    const visitor = await Visitor.openWindow({ ...ODD, base: server.url })
    const isOutside = (pattern: string) => OUTSIDE.includes(pattern)
    await inspectPages(visitor, assert, visitsOf(NOWHERE_ELSE.filter(isOutside)), 'odd')
    await visitor.signIn(MIRA)
    const inside = NOWHERE_ELSE.filter((pattern) => !isOutside(pattern))
    await inspectPages(visitor, assert, visitsOf(inside), 'odd')
    await visitor.leave()
  })

  for (const [name, look] of MORE_APPEARANCES) {
    test(`each page passes the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow({ ...look, base: server.url })
      await inspectPages(visitor, assert, visitsOf(OUTSIDE), name)
      await visitor.signIn(MIRA)
      const inside = pictured().filter((pattern) => !OUTSIDE.includes(pattern))
      await inspectPages(visitor, assert, visitsOf(inside), name)
      await visitor.leave()
    }).timeout(900_000)
  }

  // The last test: its data would be visible in screenshots.
  test('stored markup is shown as text on every page', async ({ assert, client }) => {
    const visitor = await Visitor.openWindow({ base: server.url })
    const { page, complaints } = visitor
    await visitor.signIn(MIRA)
    await page.context().exposeFunction('ran', () => complaints.push('markup ran'))
    const { marks: unseen, pages } = await storeHostileTexts(client, fixtures)
    const inside = pictured().filter((pattern) => !OUTSIDE.includes(pattern))
    for (const path of [...inside.map((pattern) => addressOf(pattern, fixtures)), ...pages]) {
      const answer = await page.goto(path)
      assert.isBelow(answer?.status() ?? 0, 500, path)
      const html = await page.content()
      for (const [place, mark] of unseen) {
        if (html.includes(mark)) unseen.delete(place)
      }
      assert.equal(await page.locator('img[src=x]').count(), 0, path)
      assert.deepEqual(complaints, [], path)
    }
    assert.deepEqual([...unseen.keys()], [])
    await visitor.leave()
  })
})
