// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  permissionTemplate,
  person,
  type Person,
} from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { choose, press, tabTo, typeInto } from '#tests/support/browser/keyboard'

let admin: Person
let as: Caller

/** Signs in as an administrator and opens a page. */
async function visitorAt(path: string): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

const idOf = ({ page }: Visitor) => Number(/\/(\d+)/.exec(new URL(page.url()).pathname)?.[1])

test.group('Tasks with users and groups', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
  })

  test('a user is created after rejected input, changed, and deleted after a transfer of their zones', async ({
    assert,
  }) => {
    const visitor = await visitorAt('/users')
    const { page } = visitor
    await page.getByRole('link', { name: 'Create user' }).click()
    const name = page.getByLabel('User name')
    const secret = page.getByLabel('Password', { exact: true })
    // The browser must not fill in the administrator's own name and password.
    assert.equal(await name.getAttribute('autocomplete'), 'off')
    assert.equal(await secret.getAttribute('autocomplete'), 'new-password')
    await name.fill(admin.username)
    await secret.fill('Long-enough-7-horse')
    await page.getByLabel('Full name').fill('Ann Other')
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Ann Other')
    await visitor.picture('task-user-taken')
    await visitor.inspect(assert)
    const username = unique('ann')
    await name.fill(username)
    await secret.fill('Long-enough-7-horse')
    await page.getByLabel('Permission template').selectOption({ label: 'Viewer' })
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('User created').waitFor()
    const id = idOf(visitor)
    const zone = await createZone(as, { name: zoneNamed(), owner_user_id: id })

    await page.getByLabel('Full name').fill('Ann <b>Other</b>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('User saved').waitFor()
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Ann <b>Other</b>')
    await page.getByLabel('Other template').selectOption({ label: 'Editor' })
    await page.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('Permission template assigned').waitFor()
    await page.getByRole('link', { name: 'Delete user…' }).click()
    await page.getByText('The user owns one zone').first().waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('link', { name: 'Delete user…' }).click()
    const heir = page.getByLabel('New owner of all zones')
    const offered = page.getByRole('option')
    await heir.press('ArrowDown')
    await offered.first().waitFor()
    const first = await offered.count()
    // Suggestions change while typing, and return when the text is deleted.
    await heir.fill(admin.username)
    await page.locator('li[role=option]:only-child').waitFor()
    await heir.fill('')
    await offered.nth(first - 1).waitFor()
    await heir.fill(admin.username)
    await page.getByRole('option', { name: `user: ${admin.username}` }).click()
    assert.equal(await heir.inputValue(), `user: ${admin.username}`)
    await page.getByLabel(`Delete ${username} permanently`).check()
    await page.getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('one zone has a new owner').waitFor()
    const owners: { user_id: number }[] = await db.from('zw_zone_owners').where('zone_id', zone.id)
    assert.deepEqual(
      owners.map((owner) => Number(owner.user_id)),
      [admin.id]
    )
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('two groups share a zone that only their members see; then one group is deleted', async ({
    assert,
  }) => {
    const member = await person()
    const stranger = await person({ template: 'Zone Manager' })
    const zone = await createZone(as, { name: zoneNamed() })
    const [name, other] = [unique('crew'), unique('team')]
    const visitor = await visitorAt('/groups/new')
    const { page } = visitor
    // The permission template must be selected explicitly.
    const chosen = page.getByLabel('Permission template').locator('option:checked')
    assert.notEqual(await chosen.textContent(), 'Administrators')
    for (const one of [name, other]) {
      await page.goto('/groups/new')
      await page.getByLabel('Name', { exact: true }).fill(one)
      await page.getByLabel('Permission template').selectOption({ label: 'Editors' })
      await page.getByRole('button', { name: 'Create group' }).click()
      await page.getByText('Group created').waitFor()
      await page.goto(`${page.url()}?other=${member.username}`)
      const others = page.getByRole('region', { name: 'Other users' })
      await others.getByLabel(member.username).check()
      await others.getByRole('button', { name: 'Add to group' }).click()
      await page.getByText('One membership changed').waitFor()
      await page.goto(`/zones/${zone.id}/owners`)
      await page.getByLabel('Add group as owner').fill(one)
      await page.getByRole('button', { name: 'Add', exact: true }).last().click()
      await page.getByText('Owner added').waitFor()
    }
    await page.getByText(name).first().waitFor()
    await visitor.picture('task-two-groups')
    await visitor.inspect(assert)

    for (const { who: user, sees } of [
      { who: member, sees: true },
      { who: stranger, sees: false },
    ]) {
      const somebody = await Visitor.openWindow()
      await somebody.signIn(user)
      await somebody.page.goto(`/zones?q=${zone.name}`)
      const links = await somebody.page.getByRole('link', { name: zone.name }).count()
      assert.equal(links > 0, sees)
      const opened = await somebody.page.goto(`/zones/${zone.id}`)
      assert.equal(opened?.status(), sees ? 200 : 404)
      if (!sees) {
        await somebody.page.goto('/zones/new')
        await somebody.page.getByLabel('Names or networks').fill(`below.${zone.name}`)
        await somebody.page.getByRole('button', { name: 'Create zone' }).click()
        await somebody.page.getByText('overlaps a parent or child zone of another owner').waitFor()
      }
      await somebody.leave()
    }

    await page.goto('/groups/new')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByRole('alert').waitFor()
    await page.goto(`/groups?q=${name}`)
    await page.getByRole('link', { name }).click()
    await page.getByLabel('Name', { exact: true }).fill(`${name}-renamed`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Group saved').waitFor()
    await page.getByRole('link', { name: 'Delete group…' }).click()
    await page.getByText('One zone loses this owner').first().waitFor()
    await page.getByLabel(`Delete ${name}-renamed permanently`).check()
    await page.getByRole('button', { name: 'Delete group' }).click()
    await page.getByText('Group deleted').waitFor()

    await page.goto('/audit')
    await page.getByLabel('Action', { exact: true }).selectOption({ label: 'group.deleted' })
    await page.getByLabel('User', { exact: true }).fill(admin.username)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText(`${name}-renamed`).first().waitFor()
    await visitor.leave()
  })

  test('a permission template, a group and an API key are created by keyboard', async ({
    assert,
  }) => {
    const [template, crew, key] = [unique('rights'), unique('crew'), unique('key')]
    const visitor = await visitorAt('/permission-templates')
    const { page } = visitor
    await press(page, page.getByRole('link', { name: 'Create template' }))
    await typeInto(page, page.getByRole('textbox', { name: 'Name' }), template)
    const kind = page.getByLabel('For', { exact: true })
    await tabTo(page, kind)
    await page.keyboard.press('ArrowDown')
    assert.equal(await kind.inputValue(), 'group')
    const reading = page.getByRole('radiogroup', { name: 'View zones and their records' })
    await choose(page, reading, reading.getByRole('radio', { name: 'own zones' }))
    await press(page, page.getByRole('button', { name: 'Create template' }))
    await page.getByText('Template created').waitFor()

    await page.goto('/groups')
    await press(page, page.getByRole('link', { name: 'Create group' }))
    await visitor.picture('task-group-new')
    await typeInto(page, page.getByLabel('Name', { exact: true }), crew)
    await tabTo(page, page.getByLabel('Permission template'))
    await page.keyboard.type(template)
    await press(page, page.getByRole('button', { name: 'Create group' }))
    await page.getByText('Group created').waitFor()
    const rows = await db
      .from('zw_groups as g')
      .join('zw_permission_templates as t', 't.id', 'g.permission_template_id')
      .where({ 'g.name': crew, 't.name': template })
    assert.lengthOf(rows, 1)

    await page.goto('/settings/api-keys')
    await press(page, page.getByRole('link', { name: 'Create API key' }).first())
    await typeInto(page, page.getByLabel('Name', { exact: true }), key)
    const access = page.getByRole('group', { name: 'Permissions' })
    await choose(page, access, access.getByRole('radio', { name: 'Read-only' }))
    await press(page, page.getByRole('button', { name: 'Create key' }))
    await page.locator('#secret').waitFor()
    const made = await db.from('zw_api_keys').where('name', key).firstOrFail()
    assert.isTrue(Boolean(made.read_only))
    await visitor.leave()
  })

  test('a permission template is rejected twice, changed, found, and deleted when nobody has it', async ({
    assert,
  }) => {
    const held = await permissionTemplate('user', ['zone_content_view_own'])
    const { id: holder } = await person()
    await db.from('zw_users').where('id', holder).update({ permission_template_id: held.id })
    const visitor = await visitorAt('/permission-templates/new')
    const { page } = visitor
    const name = `${unique('Rights')} “odd” <i>ÄÖ</i>`
    await page.getByLabel('Name', { exact: true }).fill(held.name)
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Manage own API keys').check()
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText('Template created').waitFor()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByLabel('Manage own API keys').uncheck()
    await page.getByLabel('Description').fill('nothing at all')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Template saved').waitFor()
    assert.isFalse(await page.getByLabel('Manage own API keys').isChecked())
    await page.goto(`/permission-templates/${held.id}/delete`)
    await page.getByText('A template in use cannot be deleted').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete template' }).count(), 0)
    await page.goto(`/permission-templates?q=${encodeURIComponent(name)}`)
    await page.getByRole('link', { name }).click()
    await page.getByRole('link', { name: 'Delete template' }).click()
    await page.getByLabel(`Delete ${name} permanently`).check()
    await page.getByRole('button', { name: 'Delete template' }).click()
    await page.getByText('Template deleted').waitFor()
    assert.lengthOf(await db.from('zw_permission_templates').where('name', name), 0)
    await visitor.leave()
  })
})
