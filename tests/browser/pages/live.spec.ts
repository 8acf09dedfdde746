// @databases @slow
import { test } from '@japa/runner'
import { sealAll } from '#audit/sealer'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { freshServer, tokenOf } from '#tests/support/app/first_run'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { DARK_APPEARANCES, APPEARANCES, inspectPages } from '#tests/support/browser/appearances'
import { fillZone } from '#tests/support/browser/zone'

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let word: string

async function visitorAt(path: string, appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

test.group('Search, palette, live notices and wizards', (group) => {
  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    zone = await createZone(as, { name: `live.${word}.test` })
    await fillZone(as, zone)
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`search, palette and wizards pass the page checks, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt('/search', appearance)
      const { page } = visitor
      await visitor.picture(`search-start-${name}`)
      await visitor.inspect(assert)
      const visits: [file: string, path: string][] = [
        ['search', `/search?q=${encodeURIComponent(`zone:${zone.name}`)}`],
        ['search-unreadable', `/search?q=${encodeURIComponent('ttl<soon')}`],
        ['search-none', '/search?q=nothing-is-named-so-at-all'],
        ['wizards', `/zones/${zone.id}/wizards`],
        ['wizard-tlsa', `/zones/${zone.id}/wizards/tlsa`],
      ]
      await inspectPages(visitor, assert, visits, name)
      await page.goto(`/zones/${zone.id}/wizards/spf`)
      await page.getByLabel('Addresses and networks').fill('nonsense')
      await page.getByRole('button', { name: 'Preview records' }).click()
      await page.getByRole('alert').waitFor()
      await visitor.picture(`wizard-refused-${name}`)
      await visitor.inspect(assert)
      await page.goto(`/zones/${zone.id}/wizards/mail`)
      await page.getByRole('button', { name: 'Preview records' }).click()
      await page.getByRole('heading', { name: 'Preview' }).waitFor()
      await visitor.picture(`wizard-mail-${name}`)
      await visitor.inspect(assert)
      await page.getByRole('button', { name: 'Search or go to' }).click()
      await page.getByRole('option', { name: 'History' }).waitFor()
      await visitor.picture(`palette-zone-${name}`)
      await page.keyboard.type(word)
      await page.getByRole('group', { name: 'Zones' }).getByRole('option').waitFor()
      await visitor.picture(`palette-${name}`)
      await visitor.inspect(assert)
      await visitor.leave()
    })
  }

  test('the palette opens pages by keyboard', async ({ assert }) => {
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', {
      name: 'A zone, a record, a user, a page or an action',
    })
    await field.waitFor()
    await page.keyboard.type(`mail.${word}`)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type(`live.${word}`)
    await page.getByRole('group', { name: 'Zones' }).getByRole('option').waitFor()
    const active = await field.getAttribute('aria-activedescendant')
    assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowUp')
    assert.match(
      (await page.locator('[aria-selected=true]').textContent()) ?? '',
      /Search zones and records/
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/zones/${zone.id}`)
    await page.keyboard.press('Control+k')
    await field.fill('log out')
    await page.getByRole('option', { name: 'Sign out' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login')
    await visitor.leave()
  })

  test('Enter opens the result for the current text', async () => {
    const otherZone = await createZone(as, { name: `later.${word}.test` })
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', {
      name: 'A zone, a record, a user, a page or an action',
    })
    await field.fill(zone.name)
    await page.getByRole('group', { name: 'Zones' }).getByRole('option').waitFor()
    await page.route('**/palette?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await field.fill(otherZone.name)
    await field.press('Enter')
    await page.waitForURL(`**/zones/${otherZone.id}`)
    await page.goto('/zones')
    await page.keyboard.press('Control+k')
    await field.fill('nothing-is-named-so')
    await field.press('Enter')
    await page.waitForURL('**/search?q=nothing-is-named-so')
    await visitor.leave()
  })

  test('a window shows events that another window received while it was loading', async ({
    client,
  }) => {
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page, context } = visitor
    const lateSubmission = await context.newPage()
    let load = () => {}
    const isToLoad = new Promise<void>((resolve) => (load = resolve))
    await lateSubmission.route('**/js/main*', async (route) => {
      await isToLoad
      await route.continue()
    })
    await lateSubmission.goto(`/zones?q=${word}`, { waitUntil: 'commit' })
    await lateSubmission.locator('[data-live]').waitFor({ state: 'attached' })
    const them = caller(client, await administrator())
    await createRecord(them, zone, { name: 'new', type: 'A', content: '192.0.2.3' })
    await sealAll()
    await page.getByText('changed this zone just now').waitFor({ timeout: 20_000 })
    load()
    await lateSubmission.getByText('changed this list just now').waitFor({ timeout: 20_000 })
    await visitor.leave()
  })

  test('a change by others is announced, and unsaved input stays', async ({ client, assert }) => {
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page } = visitor
    const list = await visitor.context.newPage()
    await list.goto(`/zones?q=${word}`)
    await page.bringToFront()
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.99')
    const otherUser = await administrator()
    await createRecord(caller(client, otherUser), zone, {
      name: 'new',
      type: 'A',
      content: '192.0.2.3',
    })
    await sealAll()
    const notice = page.getByRole('status').filter({ hasText: 'changed this zone just now' })
    await notice.waitFor({ timeout: 20_000 })
    assert.include((await notice.textContent()) ?? '', otherUser.username)
    assert.equal(await page.getByLabel('Content', { exact: true }).inputValue(), '192.0.2.99')
    await visitor.picture('live-zone')
    await visitor.inspect(assert)
    await list.getByText('changed this list just now').waitFor({ timeout: 20_000 })
    await notice.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('192.0.2.3').waitFor()
    await page.getByText('192.0.2.99').waitFor()
    await page.getByText('1 change').waitFor()
    await visitor.leave()
  })

  test('the deletion of the open zone is announced with a link to the zone list', async ({
    client,
    assert,
  }) => {
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page } = visitor
    const otherUser = await administrator()
    await expectStatus(caller(client, otherUser).delete(`/zones/${zone.id}`), 204)
    await sealAll()
    const notice = page.getByRole('status').filter({ hasText: 'deleted this zone just now' })
    await notice.waitFor({ timeout: 20_000 })
    assert.include((await notice.textContent()) ?? '', otherUser.username)
    await visitor.picture('live-zone-gone')
    await visitor.inspect(assert)
    await notice.getByRole('button', { name: 'All zones' }).click()
    await page.getByRole('heading', { name: 'Zones', exact: true }).waitFor()
    await visitor.leave()
  })

  test('the page of a group announces changes of listed users, members or not', async ({
    client,
    assert,
  }) => {
    const team = await createTeam([])
    const member = await person({ groups: [team.name] })
    const outsider = await person()
    const stranger = await person()
    const them = caller(client, await administrator())
    await sealAll()
    const visitor = await visitorAt(`/groups/${team.id}/members?other=${outsider.username}`)
    const { page } = visitor
    const notice = page.getByRole('status').filter({ hasText: 'just now' })
    const isGone = async (username: string) => {
      await notice.getByRole('button', { name: 'Reload' }).click()
      await page.getByText(username).waitFor({ state: 'detached' })
    }
    // Events from the start of the page do not count.
    await page.waitForTimeout(1_000)
    while (await notice.isVisible()) {
      await notice.getByRole('button', { name: 'Reload' }).click()
      await notice.waitFor({ state: 'detached' })
      await page.waitForTimeout(1_000)
    }
    await expectStatus(them.delete(`/users/${stranger.id}`), 200)
    await sealAll()
    await page.waitForTimeout(2_500)
    assert.equal(await page.locator('[data-live]').textContent(), '')
    await expectStatus(them.delete(`/users/${outsider.id}`), 200)
    await sealAll()
    await notice.waitFor({ timeout: 20_000 })
    await isGone(outsider.username)
    await expectStatus(them.put(`/users/${member.id}`, { fullname: 'Renamed Member' }), 200)
    await sealAll()
    await notice.waitFor({ timeout: 20_000 })
    await notice.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('Renamed Member').waitFor()
    await expectStatus(them.delete(`/users/${member.id}`), 200)
    await sealAll()
    await notice.waitFor({ timeout: 20_000 })
    await isGone(member.username)
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('own changes are not announced in the window that made them', async ({ assert }) => {
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page } = visitor
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.98')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    await sealAll()
    await page.waitForTimeout(2_500)
    assert.equal(await page.locator('[data-live]').textContent(), '')
    await visitor.leave()
  })

  test('a wizard fills the draft of the editor and writes nothing', async ({ assert }) => {
    const visitor = await visitorAt(`/zones/${zone.id}/wizards/dmarc`)
    const { page } = visitor
    await page.getByLabel('Aggregate reports to').fill('reports@example.net')
    await page.getByRole('button', { name: 'Preview records' }).click()
    await page.getByRole('button', { name: 'Add to pending changes' }).click()
    await page.waitForURL(`**/zones/${zone.id}`)
    await page.getByText('1 change').waitFor()
    await page.getByText('v=DMARC1').first().waitFor()
    const before = await contentsOf(zone)
    assert.notInclude(before.join('\n'), 'DMARC1')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    const after = await contentsOf(zone)
    assert.include(after.join('\n'), 'DMARC1')
    await visitor.leave()
  })

  test('without scripts the search is a link and a wizard leads to the review', async ({
    assert,
  }) => {
    const visitor = await visitorAt('/zones', { scripts: false })
    const { page } = visitor
    await page.getByRole('link', { name: 'Search or go to' }).click()
    await page.getByRole('searchbox').fill(`zone:${zone.name} type:MX`)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '@', exact: true }).click()
    await page.getByText('mail.example.net').first().waitFor()
    await page.getByRole('link', { name: 'Record assistants' }).click()
    await page.getByRole('link', { name: 'Domain verification' }).click()
    await page.getByLabel('Text', { exact: true }).fill('site-verification=abc')
    await page.getByRole('button', { name: 'Preview records' }).click()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    const now = await contentsOf(zone)
    assert.include(now.join('\n'), 'site-verification=abc')
    await visitor.leave()
  })

  test('the first administrator is created in the browser', async ({ assert, cleanup }) => {
    const { server } = await freshServer()
    cleanup(() => server.stop())
    const visitor = await Visitor.openWindow({ width: 390, height: 844 })
    const { page } = visitor
    await page.goto(`${server.url}/zones`)
    assert.equal(new URL(page.url()).pathname, '/setup')
    await visitor.inAppearances(assert, 'first-run', DARK_APPEARANCES)
    await page.getByLabel('Server token').fill('wrong')
    await page.getByLabel('Password', { exact: true }).fill('Correct-horse-7-battery')
    await page.getByLabel('Repeat password').fill('Correct-horse-7-battery')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('alert').waitFor()
    await page.goto(`${server.url}/setup#token=${await tokenOf(server)}`)
    // The token is in the form and was removed from the URL.
    await page.waitForURL(`${server.url}/setup`)
    const token = await page.getByLabel('Server token').inputValue()
    assert.equal(token, await tokenOf(server))
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.getByLabel('Password', { exact: true }).fill('Correct-horse-7-battery')
    await page.getByLabel('Repeat password').fill('Correct-horse-7-battery')
    await visitor.picture('first-run-light')
    await visitor.inspect(assert)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByText('You are the first administrator').waitFor()
    await page.goto(`${server.url}/zones`)
    await page.getByRole('link', { name: 'sample.test' }).waitFor()
    await visitor.picture('first-run-zones')
    await visitor.inspect(assert)
    await visitor.leave()
  }).tags(['@sql'])

  test('search, palette and wizards pass the page checks in Arabic', async ({ assert }) => {
    const visitor = await visitorAt('/', { locale: 'ar' })
    const { page } = visitor
    await inspectPages(visitor, assert, [['search', '/search?q=example']], 'arabic')
    await page.goto(`/zones/${zone.id}/wizards/mail`)
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.diff').waitFor()
    await visitor.picture('wizard-arabic')
    await visitor.inspect(assert)
    await page.keyboard.press('Control+k')
    await page.locator('#palette-list [role=option]').first().waitFor()
    await visitor.picture('palette-arabic')
    await visitor.inspect(assert)
    await visitor.leave()
  })
})
