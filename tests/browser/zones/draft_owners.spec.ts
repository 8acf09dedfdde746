// @databases @slow
import { test } from '@japa/runner'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { fillZone, retype, review } from '#tests/support/browser/zone'

test.group('Owners of drafts', () => {
  test('a draft survives sign-out and is hidden from other users of the browser', async ({
    assert,
    client,
  }) => {
    const [one, otherUser] = [await administrator(), await administrator()]
    const as: Caller = caller(client, one)
    const zone = await createZone(as, { name: zoneNamed() })
    await fillZone(as, zone)
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    const enter = async (user: Person) => {
      await visitor.signIn(user)
      await page.goto(`/zones/${zone.id}`)
      await page.getByRole('gridcell', { name: 'www', exact: true }).first().waitFor()
    }
    const leave = async () => {
      await page.getByRole('banner').locator('summary').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/login')
    }

    await enter(one)
    await retype(visitor, 'www A', '192.0.2.11')
    await page.getByText('1 change').waitFor()
    await leave()
    assert.notInclude(await page.content(), '192.0.2.11')

    await enter(otherUser)
    await page.getByText('192.0.2.1', { exact: true }).waitFor()
    assert.isTrue(await page.locator('form[data-draft]').isHidden())
    assert.notInclude(await page.content(), '192.0.2.11')
    await retype(visitor, 'www AAAA', '2001:db8::22')
    await page.getByText('1 change').waitFor()
    await leave()

    await enter(one)
    await page.getByText('192.0.2.11', { exact: true }).waitFor()
    await page.getByText('1 change').waitFor()
    assert.notInclude(await page.content(), '2001:db8::22')
    await review(visitor).getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    const contents = await contentsOf(zone)
    const now = contents.join('\n')
    assert.include(now, '192.0.2.11')
    assert.notInclude(now, '2001:db8::22')
    await leave()

    // Applied changes do not affect drafts of other users.
    await enter(otherUser)
    await page.getByText('2001:db8::22').waitFor()
    await page.getByText('1 change').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
})
