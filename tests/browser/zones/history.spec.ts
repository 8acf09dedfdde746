// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { APPEARANCES, inspectPages } from '#tests/support/browser/appearances'

let admin: Person
let zone: { id: number; name: string }

test.group('History in the browser', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    const as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const { id } = await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const text = `"${'v=long; '.repeat(24)}"`
    await createRecord(as, zone, {
      name: 'a-rather-long-name-of-a-host',
      type: 'TXT',
      content: text,
    })
    const putResponse = await as.put(`/zones/${zone.id}/records/${id}?reason=moved`, {
      name: 'www',
      type: 'A',
      content: '192.0.2.4',
    })
    putResponse.assertStatus(200)
    const otherZone = await createZone(as, { name: zoneNamed() })
    const deletion = await as.delete(`/zones/${otherZone.id}`)
    deletion.assertStatus(204)
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`its pages pass the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(appearance)
      const { page } = visitor
      await visitor.signIn(admin)
      const path = `/zones/${zone.id}`
      const visits: [file: string, path: string][] = [
        ['history', `${path}/history`],
        ['history-none', `${path}/history?user=nobody`],
        ['history-wrong', `${path}/history?since=yesterday`],
        ['history-entry', `${path}/history/3`],
        ['undo', `${path}/history/4/undo`],
        ['undo-refused', `${path}/history/2/undo`],
        ['restore', `${path}/restore?point=2`],
        ['diff', `${path}/diff?from=2`],
        ['diff-same', `${path}/diff?from=4`],
        ['at', `${path}/at?point=3`],
        ['at-file', `${path}/at?point=3&view=file`],
        ['at-wrong', `${path}/at?point=77`],
        ['trash', '/trash'],
      ]
      await inspectPages(visitor, assert, visits, name)
      await page
        .getByRole('link', { name: /^Restore/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Restore' }).waitFor()
      await visitor.picture(`trash-restore-${name}`)
      await visitor.inspect(assert)
      await visitor.leave()
    })
  }

  test('the newest entry is undone by keyboard as its plan shows', async ({ assert }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto(`/zones/${zone.id}/history`)
    await page.getByRole('link', { name: 'Revert change #4' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Revert change #4' }).waitFor()
    await page.getByLabel('Reason').focus()
    await page.keyboard.type('wrong address')
    await page.keyboard.press('Enter')
    await page.getByText('Change reverted').waitFor()
    await page.getByText('wrong address').waitFor()
    await page.getByText('reverts change #4').waitFor()
    const more = page.getByLabel('More about change #5')
    await more.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Compare with the current version' }).first().waitFor()
    await visitor.picture('history-menu')
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('a zone is restored from the trash without scripts', async ({ assert }) => {
    const visitor = await Visitor.openWindow({ scripts: false })
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto('/trash')
    await page
      .getByRole('link', { name: /^Restore/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('restored.').waitFor()
    assert.match(new URL(page.url()).pathname, /^\/zones\/\d+$/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
})
