// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { APPEARANCES, TWO_APPEARANCES } from '#tests/support/browser/appearances'

let admin: Person
let word: string

/** Opens the search field of a page and records its requests while the user types. */
async function searchField(path: string, appearance: Appearance = {}) {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  const { page } = visitor
  await page.goto(path)
  const field = page.getByRole('combobox')
  await field.focus()
  const requestedUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/names?')) requestedUrls.push(request.url())
  })
  const options = () => page.getByRole('option').locator('bdi').allTextContents()
  const active = async () => {
    const id = await field.getAttribute('aria-activedescendant')
    return id === null ? null : page.locator(`[id="${id}"] bdi`).textContent()
  }
  return { visitor, page, field, requestedUrls, options, active }
}

test.group('Suggestions of search words', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    word = unique('w').slice(0, 10).toLowerCase()
    const as = caller(t.context.client, admin)
    const zone = await createZone(as, { name: `type.${word}.test` })
    await createRecord(as, zone, { name: 'mail', type: 'A', content: '192.0.2.1', disabled: true })
  })

  for (const path of ['/zones', '/search', '/']) {
    test(`a search is composed by keyboard, at ${path}`, async ({ assert }) => {
      const { visitor, page, field, requestedUrls, options, active } = await searchField(path)
      await page.keyboard.type('mail dis')
      await page.getByRole('option').first().waitFor()
      assert.deepEqual(await options(), ['disabled:'])
      assert.equal(await field.getAttribute('aria-expanded'), 'true')
      assert.isNull(await active())
      await page.keyboard.press('ArrowDown')
      assert.equal(await active(), 'disabled:')
      // Tab selects the active option and keeps the focus.
      await page.keyboard.press('Tab')
      assert.equal(await field.inputValue(), 'mail disabled:')
      assert.deepEqual(await options(), ['disabled:true', 'disabled:false'])
      await page.keyboard.press('ArrowUp')
      assert.equal(await active(), 'disabled:false')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      assert.equal(await field.inputValue(), 'mail disabled:true')
      assert.equal(await field.getAttribute('aria-expanded'), 'false')
      await page.keyboard.type(' type:a')
      await page.getByRole('option', { name: 'type:AAAA' }).waitFor()
      await page.keyboard.press('Escape')
      assert.equal(await field.inputValue(), 'mail disabled:true type:a')
      assert.equal(await field.getAttribute('aria-expanded'), 'false')
      await page.keyboard.press('Enter')
      await page.waitForURL(/q=mail\+disabled%3Atrue\+type%3Aa/)
      await page.getByText(`type.${word}.test`).first().waitFor()
      assert.deepEqual(requestedUrls, [])
      await visitor.leave()
    })
  }

  test('arrow down suggests all fields, and Tab moves on if no option is active', async ({
    assert,
  }) => {
    const { visitor, page, field, options, active } = await searchField('/search')
    await page.keyboard.press('ArrowDown')
    const all = await options()
    assert.includeMembers(all, ['name:', 'type:', 'ttl<', 'ttl>', 'disabled:', 'zone:'])
    assert.isNull(await active())
    await page.keyboard.press('Tab')
    assert.equal(await field.inputValue(), '')
    assert.equal(await field.getAttribute('aria-expanded'), 'false')
    assert.equal(await page.locator('[role=combobox]:focus').count(), 0)
    await visitor.leave()
  })

  test('zone names follow the search words and need one request', async ({ assert }) => {
    const { visitor, page, requestedUrls } = await searchField('/zones')
    await page.keyboard.type('type')
    const zone = page.getByRole('option', { name: `type.${word}.test` })
    await page.getByRole('option').nth(1).waitFor()
    assert.lengthOf(requestedUrls, 1)
    const first = await page.getByRole('option').first().locator('bdi').textContent()
    assert.equal(first, 'type:')
    await page.keyboard.type(`.${word.slice(0, 6)}`)
    await page.getByRole('option').locator('bdi').first().waitFor({ state: 'detached' })
    await zone.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/zones\/\d+$/)
    await visitor.leave()
  })

  test('an opened list does not change when no names are found', async ({ assert }) => {
    const { visitor, page, active } = await searchField('/zones')
    const answered = page.waitForResponse(/names\?of=zones/)
    await page.keyboard.type('mail ')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const chosen = await active()
    assert.isNotNull(chosen)
    const answer = await answered
    await answer.finished()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    assert.equal(await active(), chosen)
    await visitor.leave()
  })

  for (const [name, appearance] of Object.entries({ ...APPEARANCES, ...TWO_APPEARANCES })) {
    test(`search suggestions pass the page checks, ${name}`, async ({ assert }) => {
      for (const path of ['search', 'zones']) {
        const { visitor, page } = await searchField(`/${path}`, appearance)
        await page.keyboard.type('mail ')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await visitor.picture(`${path}-words-${name}`)
        await visitor.inspect(assert)
        await page.keyboard.type('type:')
        await page.getByRole('option', { name: 'type:AAAA', exact: true }).waitFor()
        await visitor.picture(`${path}-values-${name}`)
        await visitor.inspect(assert)
        await visitor.leave()
      }
    })
  }
})
