// @databases @slow
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { seedIdentity } from '#accounts/seed'
import { createUser } from '#accounts/users/named_users'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { keyFor } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'

const ANN = { username: 'ann', password: 'a tour of the README' }

const RECORDS = [
  { name: '@', type: 'NS', content: 'ns1.example.net' },
  { name: '@', type: 'NS', content: 'ns2.example.net' },
  { name: '@', type: 'MX', content: 'mail.example.org', priority: 10 },
  { name: '@', type: 'TXT', content: '"v=spf1 mx -all"' },
  { name: '@', type: 'CAA', content: '0 issue "letsencrypt.org"' },
  { name: 'mail', type: 'A', content: '192.0.2.25' },
  { name: 'shop', type: 'CNAME', content: 'www.example.org' },
  { name: 'www', type: 'A', content: '192.0.2.1' },
  { name: 'www', type: 'AAAA', content: '2001:db8::1' },
]

test.group('The tour of the README', () => {
  test('a change is drafted, reviewed and applied', async ({ assert, client }) => {
    const account = { ...ANN, email: null, active: true, template: 'Administrator', groups: [] }
    await seedIdentity()
    const { id } = await createUser(account, maintainer())
    const { key } = await keyFor({ username: ANN.username })
    const as = caller(client, { key })
    const zone = await createZone(as, { name: 'example.org', owner_user_id: id })
    for (const record of RECORDS) await createRecord(as, zone, { ttl: 3_600, ...record })

    const visitor = await Visitor.openWindow({ height: 760 })
    const { page } = visitor
    await visitor.signIn(ANN)
    await page.goto(`/zones/${zone.id}`)
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.80')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete www AAAA' }).click()
    await page.getByText('2 changes in 2 record sets').waitFor()
    await visitor.picture('tour-editor')
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('no longer has an AAAA record').waitFor()
    await dialog.getByLabel('Reason').fill('The web server moved')
    await visitor.picture('tour-review')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 record sets changed').waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('The web server moved').waitFor()
    await visitor.picture('tour-history')
    await visitor.inspect(assert)
    await visitor.leave()
  })
})
