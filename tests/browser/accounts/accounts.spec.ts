// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  permissionTemplate,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import {
  APPEARANCES,
  appearancesOf,
  inspectPages,
  type Visit,
} from '#tests/support/browser/appearances'

let admin: Person
let someone: Person
let crew: { id: number; name: string }
let zone: { id: number; name: string }

test.group('User, group and permission pages', (group) => {
  group.setup(async () => {
    admin = await administrator()
    crew = await createTeam(['zone_content_view_own', 'zone_content_edit_own'])
    someone = await person({ template: 'Editor', groups: [crew.name] })
    const about = {
      fullname: 'Ann with a rather long name of her own',
      description: 'x'.repeat(200),
    }
    await db.from('zw_users').where('id', someone.id).update(about)
  })

  group.each.setup(async (t) => {
    const as = caller(t.context.client, admin)
    zone ??= await createZone(as, { name: zoneNamed(), owner_user_id: someone.id })
  })

  const pages = (): Visit[] => [
    ['people-users', '/users'],
    ['people-user-new', '/users/new'],
    ['people-user', `/users/${someone.id}`],
    ['people-user-rights', `/users/${someone.id}/rights?zone=${zone.name}`],
    ['people-user-sessions', `/users/${admin.id}/sessions`],
    ['people-user-delete', `/users/${someone.id}/delete`],
    ['people-own-rights', '/account/rights'],
    ['people-groups', '/groups'],
    ['people-group', `/groups/${crew.id}`],
    ['people-group-members', `/groups/${crew.id}/members`],
    ['people-group-zones', `/groups/${crew.id}/zones`],
    ['people-group-delete', `/groups/${crew.id}/delete`],
    ['people-templates', '/permission-templates'],
    ['people-template', '/permission-templates/2'],
    ['people-template-delete', '/permission-templates/2/delete'],
    ['people-zone-owners', `/zones/${zone.id}/owners`],
  ]

  const looks = appearancesOf({ ...APPEARANCES, arabic: { width: 390, height: 844, locale: 'ar' } })
  for (const [name, appearance] of Object.entries(looks)) {
    test(`user pages pass the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(appearance)
      await visitor.signIn(admin)
      await inspectPages(visitor, assert, pages(), name)
      await visitor.leave()
    }).timeout(120_000)
  }

  test('denied actions show their reason, also by keyboard', async ({ assert }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(await person({ permissions: ['user_view_others', 'templ_perm_edit'] }))
    await page.goto(`/users/${someone.id}`)
    const why = page.getByText('Why is this disabled?: Save')
    await why.focus()
    await page.keyboard.press('Enter')
    await page.getByText('You do not have permission to edit other users').waitFor()
    await visitor.picture('people-denied')
    await visitor.inspect(assert)
    await page.goto('/zones')
    await page.getByText('Why is this disabled?').click()
    await visitor.picture('people-denied-zones')
    await visitor.inspect(assert)
    await page.goto('/permission-templates/2')
    await visitor.picture('people-denied-template')
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('permissions are explained for a suggested zone', async ({ assert }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto(`/users/${someone.id}/rights`)
    await page.getByRole('combobox', { name: 'Zone name' }).fill(zone.name.slice(0, -5))
    await page.getByRole('option', { name: zone.name }).click()
    await page.waitForURL((url) => url.searchParams.get('zone') === zone.name)
    await page.getByRole('main').getByRole('link', { name: zone.name }).waitFor()
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('group members are filtered while typing and removed together', async ({ assert }) => {
    const word = unique('pane')
    const { id } = await createTeam([])
    const people = [await person(), await person()]
    for (const [index, { id: user }] of people.entries()) {
      await db
        .from('zw_users')
        .where('id', user)
        .update({ fullname: `${word} ${index}` })
    }
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto(`/groups/${id}/members?other=${word}`)
    const others = page.getByRole('region', { name: 'Other users' })
    await others.getByRole('searchbox').fill(`${word} 1`)
    await others.getByLabel('Select all shown').check()
    await others.getByRole('searchbox').fill(word)
    await others.getByRole('button', { name: 'Add to group' }).click()
    await page.getByText('One membership changed.').waitFor()
    const rows: { user_id: number }[] = await db.from('zw_group_members').where('group_id', id)
    assert.deepEqual(
      rows.map((row) => row.user_id),
      [people[1].id]
    )
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('a permission template is created from cards without scripts', async ({ assert }) => {
    const { id } = await permissionTemplate('user', ['zone_content_view_own'])
    const visitor = await Visitor.openWindow({ scripts: false })
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto(`/permission-templates/new?copy=${id}`)
    const name = unique('template')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('radiogroup', { name: 'Edit records' }).getByLabel('all zones').check()
    await page.getByLabel('Manage own API keys').check()
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText('Template created.').waitFor()
    const made: { id: number } = await db
      .from('zw_permission_templates')
      .where('name', name)
      .first()
    const items: unknown[] = await db
      .from('zw_permission_template_items')
      .where('template_id', made.id)
    assert.lengthOf(items, 3)
    await visitor.leave()
  })
})
