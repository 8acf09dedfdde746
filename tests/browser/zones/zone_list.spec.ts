// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { createGroup } from '#tests/support/app/people/accounts'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { APPEARANCES, inspectPages } from '#tests/support/browser/appearances'

let admin: Person
let as: Caller
let word: string
let alpha: number

/** Signs in and opens a page. */
async function visitorAt(path: string, appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

const named = (label: string) => `${label}.${word}.test`

test.group('Zone list', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    const { id } = await createZone(as, { name: named('alpha') })
    alpha = id
    await createRecord(
      as,
      { id },
      {
        name: 'mail',
        type: 'TXT',
        content: `"v=spf1 ${'include:spf.mail.example.net '.repeat(8)}-all"`,
      }
    )
    for (const label of [
      'beta',
      'gamma',
      'delta',
      `${'long-label-'.repeat(5)}x`,
      'xn--bcher-kva',
    ]) {
      await createZone(as, { name: named(label) })
    }
    await createZone(as, { name: `2.${word}.in-addr.arpa`, type: 'NATIVE' })
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`every state of the zone list passes the page checks, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt('/zones', appearance)
      const { page } = visitor
      const visits: [file: string, path: string][] = [
        ['zones', `/zones?q=${word}`],
        ['zones-columns', `/zones?q=${word}&columns=id,owners&sort=type:desc`],
        ['zones-search', `/zones?q=${encodeURIComponent(`zone:${named('alpha')} type:TXT`)}`],
        ['zones-unreadable', `/zones?q=${encodeURIComponent('ttl<soon')}`],
        ['zones-none', `/zones?q=nothing-is-named-so`],
        ['zones-reverse', `/zones?q=${word}&tree=ipv4`],
      ]
      await inspectPages(visitor, assert, visits, name)
      await page.goto(`/zones?q=${word}`)
      for (const menu of ['Views', 'Columns']) {
        await page.locator('summary', { hasText: menu }).click()
        await visitor.picture(`zones-${menu.toLowerCase()}-menu-${name}`)
        await visitor.inspect(assert)
        await page.keyboard.press('Escape')
      }
      await visitor.leave()
    })
  }

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`the overview and the form of new zones pass the page checks, ${name}`, async ({
      assert,
    }) => {
      const visitor = await visitorAt('/', appearance)
      const { page } = visitor
      await page.getByText('Show as table').click()
      await visitor.picture(`overview-${name}`)
      await visitor.inspect(assert)
      await page.goto('/zones/new')
      await visitor.picture(`zones-new-${name}`)
      await visitor.inspect(assert)
      const fresh = `first.${word}.test\n192.0.2.1/24\n${named('beta')}\n${'x'.repeat(70)}.test`
      await page.getByLabel('Names or networks').fill(fresh)
      await page.getByRole('button', { name: 'Create zone' }).click()
      await page.getByText('1 zone created').waitFor()
      const left = await page.getByLabel('Names or networks').inputValue()
      assert.deepEqual(left.split('\n'), ['192.0.2.1/24', named('beta'), `${'x'.repeat(70)}.test`])
      await visitor.picture(`zones-new-results-${name}`)
      await visitor.inspect(assert)
      await visitor.leave()
    })

    test(`settings, deletion and the choice of an owner pass the page checks, ${name}`, async ({
      assert,
    }) => {
      const visitor = await visitorAt(`/zones/${alpha}/settings`, appearance)
      const { page } = visitor
      await visitor.picture(`zone-settings-${name}`)
      await visitor.inspect(assert)
      await page.getByLabel('Name', { exact: true }).fill('..')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      await visitor.inspect(assert)
      await page.goto(`/zones/${alpha}/delete`)
      await visitor.picture(`zone-delete-${name}`)
      await visitor.inspect(assert)
      await page.goto(`/zones?q=${word}`)
      await page.getByLabel(`Select ${named('alpha')}`).check()
      await page.getByRole('button', { name: 'Change owner…' }).click()
      await page.getByLabel('User name').waitFor()
      await visitor.picture(`bulk-choice-${name}`)
      await visitor.inspect(assert)
      await page.getByLabel('User name').fill('nobody-of-that-name')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').waitFor()
      await visitor.inspect(assert)
      await visitor.leave()
    })

    test(`zones are selected on two pages and deleted, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt(`/zones?q=${word}&per_page=4`, appearance)
      const { page } = visitor
      await page.getByLabel(`Select ${named('alpha')}`).check()
      await page.getByLabel(`Select ${named('beta')}`).check()
      await page.getByRole('link', { name: 'Next' }).click()
      await page.getByText('2 zones selected').waitFor()
      await page.getByLabel(`Select bücher.${word}.test`).check()
      await page.getByText('3 zones selected').waitFor()
      await visitor.picture(`bulk-chosen-${name}`)
      await visitor.inspect(assert)
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByText('3 zones change').waitFor()
      await visitor.picture(`bulk-plan-${name}`)
      await visitor.inspect(assert)
      await page.getByRole('button', { name: 'Delete 3 zones' }).click()
      await page.getByText('3 done').waitFor()
      await visitor.picture(`bulk-done-${name}`)
      await visitor.inspect(assert)
      await page.goto(`/zones?q=${word}`)
      assert.equal(await page.getByLabel(`Select ${named('alpha')}`).count(), 0)
      assert.equal(await page.getByLabel(`Select ${named('gamma')}`).count(), 1)
      await page.getByText('0 zones selected').waitFor()
      await visitor.leave()
    })
  }

  test('zones are suggested while typing and selected by keyboard', async ({ assert }) => {
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await page.keyboard.press('/')
    await page.keyboard.type(`alpha.${word.slice(0, 6)}`)
    const field = page.getByRole('combobox')
    await page.getByRole('option', { name: named('alpha') }).waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'true')
    await visitor.picture('zones-suggestions')
    await visitor.inspect(assert)
    await page.keyboard.press('Escape')
    assert.equal(await field.getAttribute('aria-expanded'), 'false')
    assert.equal(await field.inputValue(), `alpha.${word.slice(0, 6)}`)
    await page.keyboard.type(word.slice(6, 7))
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    const active = await field.getAttribute('aria-activedescendant')
    assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/zones\/\d+$/)
    await page.getByRole('heading', { name: named('alpha') }).waitFor()
    await visitor.leave()
  })

  test('the largest page of the zone list is a small document', async ({ assert }) => {
    const visitor = await visitorAt('/zones/new')
    const { page } = visitor
    const names = Array.from({ length: 100 }, (_, index) => `bü${index}.${word}.test`)
    await page.getByLabel('Names or networks').fill(names.join('\n'))
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText('100 zones created').waitFor()
    const columns = 'type,records,serial,changed,owners,dnssec,id'
    for (const query of [`q=${word}`, `q=${encodeURIComponent(`zone:*.${word}.test`)}`]) {
      await page.goto(`/zones?${query}&columns=${columns}&per_page=100`)
      assert.equal(await page.locator('.zones tbody tr').count(), 100)
      assert.isAbove(await visitor.countElements(assert), 1_000)
    }
    await visitor.leave()
  })

  test('a bulk action continues by itself until all zones are done', async ({ assert }) => {
    for (let index = 0; index < 30; index++) {
      await createZone(as, { name: `n${index}.${word}.test` })
    }
    const visitor = await visitorAt(`/zones?q=${word}&per_page=10`)
    const { page } = visitor
    await page.getByLabel('All 37 matching zones').check()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('37 zones change').waitFor()
    await page.getByRole('button', { name: 'Delete 37 zones' }).click()
    // The browser validates required fields; the server rejects wrong values.
    await page.getByLabel('Enter 37').fill('36')
    await page.getByRole('button', { name: 'Delete 37 zones' }).click()
    await page.getByRole('alert').waitFor()
    await visitor.picture('bulk-confirm')
    await visitor.inspect(assert)
    await page.getByLabel('Enter 37').fill('37')
    await page.getByRole('button', { name: 'Delete 37 zones' }).click()
    await page.getByText('37 of 37 zones · 37 done').waitFor()
    assert.equal(await page.locator('[data-bulk-results] tr').count(), 37)
    await visitor.inspect(assert)
    // Returning to the page shows all results and repeats nothing.
    await page.getByRole('link', { name: 'Back to the zones' }).click()
    await page.waitForURL(/\/zones$/)
    await page.goBack()
    await page.getByText('37 of 37 zones · 37 done').waitFor()
    assert.equal(await page.locator('[data-bulk-results] tr').count(), 37)
    await visitor.leave()
  })

  test('a bulk action runs page by page and step by step without scripts', async ({ assert }) => {
    for (let index = 0; index < 30; index++) {
      await createZone(as, { name: `n${index}.${word}.test` })
    }
    const visitor = await visitorAt(`/zones?q=${word}&per_page=50`, { scripts: false })
    const { page } = visitor
    for (let index = 0; index < 30; index++) {
      await page.getByLabel(`Select n${index}.${word}.test`).check()
    }
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByLabel('Enter 30').fill('30')
    await page.getByRole('button', { name: 'Delete 30 zones' }).click()
    await page.getByText(/of 30 zones · \d+ done/).waitFor()
    const goOn = page.getByRole('button', { name: 'Continue' })
    while ((await goOn.count()) > 0) await goOn.click()
    await page.getByText('30 of 30 zones · 30 done').waitFor()
    await page.goto(`/zones?q=${word}`)
    assert.equal(await page.getByText(`n0.${word}.test`).count(), 0)
    await page.getByLabel(`Select ${named('gamma')}`).waitFor()
    await visitor.leave()
  })

  test('the owner field matches the selected kind of owner, with and without scripts', async ({
    assert,
  }) => {
    await createGroup(as)
    for (const scripts of [false, true]) {
      const visitor = await visitorAt(`/zones?q=${word}`, { scripts, ...APPEARANCES.phone })
      const { page } = visitor
      await page.getByLabel(`Select ${named('alpha')}`).check()
      await page.getByRole('button', { name: 'Change owner…' }).click()
      const kinds = page.getByRole('group', { name: 'New owner' })
      const [user, team] = ['User name', 'Group'].map((label) =>
        kinds.getByLabel(label, { exact: true })
      )
      const visibleFields = async () => [await user.isVisible(), await team.isVisible()]
      assert.deepEqual(await visibleFields(), [true, false])
      await kinds.getByRole('radio', { name: 'A group' }).check()
      assert.deepEqual(await visibleFields(), [false, true])
      if (scripts) {
        await visitor.picture('bulk-choice-group-phone')
        await visitor.inspect(assert)
      }
      await team.fill('nobodies')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').waitFor()
      assert.deepEqual(await visibleFields(), [false, true])
      await visitor.leave()
    }
  })

  test('checkboxes are aligned with their row', async ({ assert }) => {
    const visitor = await visitorAt(`/zones?q=${word}`)
    const middle = async (part: string) => {
      const box = await visitor.page.locator(`tbody tr ${part}`).first().boundingBox()
      return box ? box.y + box.height / 2 : 0
    }
    assert.closeTo(await middle('.tick'), await middle('.row-link'), 2)
    await visitor.leave()
  })

  test('a view is saved under a name with its columns', async ({ assert }) => {
    const visitor = await visitorAt(`/zones?q=${word}&sort=name:desc`)
    const { page } = visitor
    await page.locator('summary', { hasText: 'Columns' }).click()
    await page.getByLabel('Serial').uncheck()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/columns=/)
    assert.equal(await page.getByRole('columnheader', { name: 'Serial' }).count(), 0)
    await page.locator('summary', { hasText: 'Views' }).click()
    await page.getByLabel('Save view as').fill('Mine & <b>more</b>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.goto('/zones')
    await page.locator('summary', { hasText: 'Views' }).click()
    await page.getByRole('link', { name: 'Mine & <b>more</b>' }).click()
    const { searchParams } = new URL(page.url())
    assert.deepEqual(
      [searchParams.get('q'), searchParams.get('sort'), searchParams.get('columns')],
      [word, 'name:desc', 'type,records,changed,owners,dnssec']
    )
    await page.locator('summary', { hasText: 'Views' }).click()
    await page.getByRole('button', { name: 'Delete view Mine' }).click()
    await page.getByText('View deleted').waitFor()
    await visitor.leave()
  })
})
