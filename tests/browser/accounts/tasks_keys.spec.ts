// @databases @slow
import { test } from '@japa/runner'
import { caller, dataOf, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'

let admin: Person
let as: Caller

async function visitorAt(path: string): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

test.group('Tasks with API keys and zone templates', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
  })

  test('an API key is renamed, disabled, enabled, regenerated and deleted, and the audit log has the events', async ({
    client,
    assert,
  }) => {
    const { id, key } = await keyFor(admin)
    const name = unique('renamed')
    const status = async (secret: string) => {
      const response = await client.get('/api/v2/zones?per_page=1').header('x-api-key', secret)
      return response.status()
    }
    const visitor = await visitorAt('/settings/api-keys/new')
    const { page } = visitor
    await page.getByLabel('Name', { exact: true }).fill(' ')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').getByText('Enter a name').waitFor()
    await page.goto(`/settings/api-keys/${id}`)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Key saved').waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Key disabled').waitFor()
    assert.equal(await status(key), 401)
    await visitor.picture('task-key-disabled')
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Key enabled').waitFor()
    assert.equal(await status(key), 200)
    const renewing = await visitor.openConfirmation('Replace secret')
    await renewing.getByRole('button', { name: 'Back' }).click()
    await renewing.waitFor({ state: 'hidden' })
    await visitor.openConfirmation('Replace secret')
    await renewing.getByLabel('The old secret stops working immediately').check()
    await renewing.getByRole('button', { name: 'Replace secret' }).click()
    const fresh = await page.locator('#secret').inputValue()
    assert.deepEqual([await status(key), await status(fresh)], [401, 200])
    await visitor.inspect(assert)
    await page.goto(`/settings/api-keys/${id}`)
    const deleting = await visitor.openConfirmation('Delete')
    await deleting.getByLabel('Programs that use this key stop working').check()
    await visitor.picture('task-key-deleted')
    await visitor.inspect(assert)
    await deleting.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Key ${name} deleted`).waitFor()
    assert.equal(await status(fresh), 401)

    await page.goto('/audit')
    await page.getByLabel('Action', { exact: true }).selectOption({ label: 'key: all' })
    await page.getByLabel('User', { exact: true }).fill(admin.username)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    for (const event of ['updated', 'disabled', 'enabled', 'regenerated', 'revoked']) {
      await page
        .getByRole('link', { name: `key.${event}` })
        .first()
        .waitFor()
    }
    await visitor.picture('task-key-log')
    await page.getByRole('link', { name: 'key.regenerated' }).click()
    await page.getByText(name).first().waitFor()
    await page.goBack()
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const table = await coming
    assert.equal(table.suggestedFilename(), 'audit.csv')
    await visitor.leave()
  })

  test('a zone template is created with records, used, unlinked from a zone that keeps its records, and deleted', async ({
    assert,
  }) => {
    const name = unique('template')
    const zone = zoneNamed()
    const visitor = await visitorAt('/zone-templates/new')
    const { page } = visitor
    await visitor.picture('task-template-new')
    await visitor.inspect(assert)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText(`Template ${name} created`).waitFor()
    const [, id] = /zone-templates\/(\d+)/.exec(page.url()) ?? []
    for (const [host, type, content] of [
      ['www', 'A', '192.0.2.1'],
      ['[ZONE]', 'TXT', '"of [ZONE]"'],
    ]) {
      await page.getByRole('link', { name: 'Add record' }).click()
      await page.getByLabel('Name', { exact: true }).fill(host)
      await page.getByLabel('Type', { exact: true }).selectOption(type)
      await page.getByLabel('Content', { exact: true }).fill(content)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Record added').waitFor()
    }
    await page.getByRole('link', { name: 'Edit www A' }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Record saved').waitFor()

    await page.goto('/zones/new')
    await page.getByLabel('Names or networks').fill(zone)
    await page.getByLabel('Template', { exact: true }).selectOption({ label: name })
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText(`Zone ${zone} created`).waitFor()
    await page.getByText(`of ${zone}`).first().waitFor()
    const zoneId = Number(/\/zones\/(\d+)/.exec(page.url())?.[1])

    await page.goto(`/zone-templates/${id}/zones`)
    await page.getByLabel(`Select ${zone}`).check()
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('1 zone unlinked').waitFor()
    const contentsBefore = await contentsOf({ id: zoneId })
    assert.include(contentsBefore.join('\n'), '192.0.2.2')
    await page.goto(`/zone-templates/${id}/settings`)
    const deleting = await visitor.openConfirmation('Delete template')
    await deleting.getByLabel('Delete permanently').check()
    await deleting.getByRole('button', { name: 'Delete template' }).click()
    await page.getByText(`Template ${name} deleted`).waitFor()
    const left: unknown[] = await dataOf(as.get(`/zones/${zoneId}/records`), 'records')
    assert.isAbove(left.length, 2)
    await visitor.leave()
  })
})
