// @databases
import db from '@adonisjs/lucid/services/db'
import type { Locator } from 'playwright-core'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { sealAll } from '#audit/sealer'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { reconcileAll } from '#tests/support/app/zones/foreign_zones'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { hostile } from '#tests/support/browser/hostile_rows'
import { fillZone, retype, review } from '#tests/support/browser/zone'

let admin: Person
let as: Caller
let word: string
let zone: { id: number; name: string }

/** Runs in pages: counts elements that unescaped markup would have created. */
const ELEMENTS = `document.querySelectorAll('img[src=x], img[onerror]').length`

/** Signs in and opens a page that reports every script error. */
async function visitorAt(path: string): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.context.exposeFunction('ran', () => visitor.complaints.push('markup ran'))
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

/** Asserts that `place` shows markup as text and that no markup was executed or blocked by the policy. */
async function showsText(visitor: Visitor, assert: Assert, place: Locator, text: string) {
  await place.filter({ hasText: text }).first().waitFor()
  assert.equal(await visitor.page.evaluate(ELEMENTS), 0)
  assert.deepEqual(visitor.complaints, [])
}

/** Creates zones as another tool does, with invalid names. */
async function hostileZones(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${hostile(`${index}`)}.${word}.test`)
  await db.table('domains').multiInsert(names.map((name) => ({ name, type: 'NATIVE' })))
  await reconcileAll()
  return names
}

test.group('Escaping of markup loaded by scripts', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    zone = await createZone(as, { name: `kept.${word}.test` })
    await fillZone(as, zone)
  })
  // The list must not contain these zones in screenshots of other tests.
  group.each.teardown(async () => {
    await db.from('domains').whereLike('name', `%.${word}.test`).whereNot('id', zone.id).delete()
    await reconcileAll()
  })

  test('the palette shows names of zones, records and users as text', async ({ assert }) => {
    const [name] = await hostileZones(1)
    const user = await administrator()
    const [username, fullname] = [hostile(`${word}u`), hostile('full')]
    await db.from('zw_users').where('id', user.id).update({ username, fullname })
    const owner = `${hostile('rec')}.${zone.name}`
    const row = { domain_id: zone.id, name: owner, type: 'TXT', content: hostile('content') }
    await db.table('records').insert({ ...row, ttl: 300, disabled: false, auth: true })
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const field = page.locator('[data-palette-dialog] [role=combobox]')
    const options = page.locator('[data-palette-dialog] [role=option]')
    for (const [typed, told] of [
      [name, name],
      [owner.slice(0, 40), hostile('rec')],
      [username, fullname],
      // The option "search everywhere" contains the typed text.
      [hostile('typed'), hostile('typed')],
    ]) {
      await field.fill(typed)
      await showsText(visitor, assert, options, told)
    }
    await visitor.leave()
  })

  test('field suggestions show names as text', async ({ assert }) => {
    const [name] = await hostileZones(1)
    const [username, groupName] = [hostile(`${word}u`), hostile(`${word}g`)]
    const user = await administrator()
    await db.from('zw_users').where('id', user.id).update({ username })
    const made = { name: unique('group'), perm_templ_id: 9, description: '' }
    const id = await dataOf(as.post('/groups', made), 'group.id')
    await db.from('zw_groups').where('id', id).update({ name: groupName })
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    const options = page.locator('.suggestions [role=option]')
    await page.locator('#zones-q').fill(word.slice(0, 9))
    await showsText(visitor, assert, options, name)
    await page.goto('/audit')
    await page.locator('[data-names=users]').fill(username.slice(0, 35))
    await showsText(visitor, assert, options, username)
    await page.goto(`/users/${user.id}`)
    await page.locator('[data-names=groups]').fill(groupName.slice(0, 35))
    await showsText(visitor, assert, options, groupName)
    await visitor.leave()
  })

  test('the editor, its review, a conflict and the final message show contents as text', async ({
    assert,
  }) => {
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page } = visitor
    const [mine, theirs] = [hostile('mine'), hostile('theirs')]
    const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`
    const records = (content: string, comment: string) => {
      const action = { op: 'set', name: `note.${zone.name}`, type: 'TXT', ttl: 300 }
      return { actions: [{ ...action, records: [{ content: quoted(content), comment }] }] }
    }
    await expectStatus(as.post('/changes', records('first', hostile('about'))), 201)
    await page.reload()
    await showsText(visitor, assert, page.locator('main'), hostile('about'))
    // Scripts create the rows of the draft.
    await retype(visitor, 'note TXT', quoted(mine))
    await showsText(visitor, assert, page.locator('[data-records]'), 'mine')
    await expectStatus(as.post('/changes', records(theirs, hostile('other'))), 201)
    const dialog = review(visitor)
    await showsText(visitor, assert, dialog, 'theirs')
    await showsText(visitor, assert, dialog, 'mine')
    await dialog
      .getByRole('radio', { name: /^Keep my version/ })
      .first()
      .check()
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).waitFor()
    await showsText(visitor, assert, dialog, 'theirs')
    await visitor.inspect(assert)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    await showsText(visitor, assert, page.locator('[data-records]'), 'mine')
    // A proxy answers with its own pages, whose markup is not inserted.
    await retype(visitor, 'www A', '192.0.2.7')
    await page.route('**/plan', (route) => {
      return route.fulfill({ status: 502, contentType: 'text/html', body: hostile('gateway') })
    })
    // The browser also logs the status 502 to the console.
    const dialog502 = review(visitor)
    await dialog502.filter({ hasText: '502' }).waitFor()
    assert.notInclude(await dialog502.innerHTML(), 'onerror')
    assert.lengthOf(visitor.complaints, 1)
    assert.match(visitor.complaints[0], /^console: .*502/)
    await visitor.leave()
  })

  test('live notices show names of other users as text', async ({ assert, client }) => {
    const them = await administrator()
    const username = hostile(`${word}u`)
    await db.from('zw_users').where('id', them.id).update({ username })
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page } = visitor
    const change = { op: 'add', name: `new.${zone.name}`, type: 'A' }
    const actions = [{ ...change, records: [{ content: '192.0.2.3' }] }]
    await expectStatus(caller(client, them).post('/changes', { actions }), 201)
    await sealAll()
    const told = page.locator('[data-live] p')
    await told.waitFor({ timeout: 20_000 })
    await showsText(visitor, assert, told, `${username} changed this zone just now`)
    await visitor.leave()
  })

  test('the steps and the message of a bulk change show names as text', async ({ assert }) => {
    const count = 27
    const names = await hostileZones(count)
    const heir = await administrator()
    const username = hostile(`${word}h`)
    await db.from('zw_users').where('id', heir.id).update({ username })
    const visitor = await visitorAt(`/zones?q=${word}&per_page=10`)
    const { page } = visitor
    await showsText(visitor, assert, page.locator('main'), names[0])
    // One more zone exists for every test.
    const all = count + 1
    await page.getByLabel(`All ${all} matching zones`).check()
    await page.getByRole('button', { name: 'Change owner…' }).click()
    await page.getByLabel('User name').fill(username)
    await page.getByRole('button', { name: 'Preview' }).click()
    await showsText(visitor, assert, page.locator('main'), names[1])
    await page.getByRole('button', { name: /^Change the owner of/ }).click()
    await page.getByText(`${all} of ${all} zones · ${all} done`).waitFor()
    await showsText(visitor, assert, page.locator('[data-bulk-results]'), names[count - 1])
    await visitor.leave()
  })

  test('messages and the zone text editor show names and lines as text', async ({ assert }) => {
    const visitor = await visitorAt('/zone-templates/new')
    const { page } = visitor
    const name = hostile(`${word}t`)
    await page.locator('[name=name]').fill(name)
    await page.locator('main form .button.primary').click()
    await showsText(visitor, assert, page.locator('.toast'), name)
    await page.goto(`/zones/${zone.id}/text`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(`bad 300 IN A ${hostile('line')}`)
    await page.locator('.cm-lint-marker-error').hover()
    await showsText(visitor, assert, page.locator('.cm-tooltip-lint'), 'onerror=ran()')
    await visitor.leave()
  })
})
