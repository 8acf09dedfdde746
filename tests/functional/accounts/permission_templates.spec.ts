// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { PERMISSIONS, type Permission } from '#access/permissions'
import {
  accountState,
  idsOf,
  createGroup,
  createTemplate,
  NOTHING,
} from '#tests/support/app/people/accounts'
import { baseUrl, caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'

let admin: Person
let as: Caller

const setUp = (tests: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup((t) => {
    as = caller(t.context.client, admin)
  })
}

const templateOf = (id: number) => dataOf(as.get(`/permission-templates/${id}`), 'template')
const memberOf = (id: number, member: string) =>
  dataOf(as.get(`/permission-templates/${id}`), `template.${member}`)
const grantsOf = async (id: number): Promise<Permission[]> => {
  const { permissions } = await templateOf(id)
  return permissions.map(({ name }: { name: Permission }) => name)
}

test.group('Permission templates', (tests) => {
  setUp(tests)

  test('a template is created, read, changed and deleted', async ({ assert }) => {
    const name = unique('template')
    const body = { name, descr: 'reads', permissions: idsOf('search', 'zone_content_view_own') }
    const created = await as.post('/permission-templates', body)
    created.assertStatus(201)
    assert.equal(created.body().message, 'Permission template created successfully')
    const { id } = created.body().data

    const template = await templateOf(id)
    const shown = (permission: Permission) => ({
      id: PERMISSIONS[permission].id,
      name: permission,
      descr: PERMISSIONS[permission].meaning,
      description: PERMISSIONS[permission].meaning,
    })
    assert.deepEqual(template, {
      id,
      name,
      descr: 'reads',
      description: 'reads',
      template_type: 'user',
      permissions: [shown('search'), shown('zone_content_view_own')],
    })

    const changed = await as.put(`/permission-templates/${id}`, { name, descr: 'looks' })
    changed.assertStatus(200)
    changed.assertBody({
      success: true,
      data: null,
      message: 'Permission template updated successfully',
    })
    assert.deepEqual(await templateOf(id), { ...template, descr: 'looks', description: 'looks' })

    const deleted = await as.delete(`/permission-templates/${id}`)
    deleted.assertStatus(200)
    deleted.assertBodyContains({ data: null, message: 'Permission template deleted successfully' })
    for (const call of [
      as.get(`/permission-templates/${id}`),
      as.put(`/permission-templates/${id}`, { name: 5 }),
      as.delete(`/permission-templates/${id}`),
      as.get('/permission-templates/99999999999999'),
    ]) {
      const missing = await call
      missing.assertStatus(404)
      missing.assertBodyContains({ message: 'Permission template not found' })
    }
  })

  test('omitted permissions stay, a list replaces them, and an empty list removes all', async ({
    assert,
  }) => {
    const id = await createTemplate(as, ['search', 'zone_content_view_own'])
    const at = `/permission-templates/${id}`
    await as.put(at, { descr: 'x' })
    assert.deepEqual(await grantsOf(id), ['search', 'zone_content_view_own'])
    await as.put(at, {
      permissions: [...idsOf('search', 'search'), String(PERMISSIONS.user_add_new.id)],
    })
    assert.deepEqual(await grantsOf(id), ['search', 'user_add_new'])
    await as.put(at, { permissions: [] })
    assert.deepEqual(await grantsOf(id), [])
  })

  test('the description has two member names, and forms are accepted', async ({ assert }) => {
    const name = unique('template')
    const id = await dataOf(as.post('/permission-templates', { name, description: 'one' }), 'id')
    assert.equal(await memberOf(id, 'descr'), 'one')
    await expectStatus(as.put(`/permission-templates/${id}`, { descr: 'a', description: 'b' }), 400)
    await expectStatus(as.put(`/permission-templates/${id}`, { descr: 'c', description: 'c' }), 200)
    const form = new URLSearchParams({
      name: unique('template'),
      descr: 'form',
      template_type: 'group',
    })
    idsOf('search', 'user_edit_own').forEach((one) => form.append('permissions[]', String(one)))
    const response = await fetch(`${baseUrl()}/api/v2/permission-templates`, {
      method: 'POST',
      headers: { 'x-api-key': admin.key },
      body: form,
    })
    assert.equal(response.status, 201)
    const { data } = (await response.json()) as { data: { id: number } }
    assert.deepEqual(await grantsOf(data.id), ['search', 'user_edit_own'])
  })

  test('an invalid template gets 400 and nothing is created', async ({ assert }) => {
    const descr = 'x'
    const before = await accountState()
    for (const body of [
      {},
      { descr },
      { name: unique('template') },
      { name: '', descr },
      { name: 'blank ', descr },
      { name: 'x'.repeat(129), descr },
      { name: unique('template'), descr: 'x'.repeat(1025) },
      { name: unique('template'), descr, template_type: 'foo' },
      { name: unique('template'), descr, permissions: 43 },
      { name: unique('template'), descr, permissions: ['search'] },
      { name: unique('template'), descr, permissions: [43.5] },
    ]) {
      await expectStatus(as.post('/permission-templates', body), 400)
    }
    const bad = { name: unique('template'), descr, permissions: [43, 66, 9999, -1] }
    const response = await as.post('/permission-templates', bad)
    response.assertStatus(400)
    assert.match(response.body().message, /unknown permission ids 66, 9999, -1;/)
    assert.deepEqual(await accountState(), before)
  })

  test('a name is unique per type: users and groups', async ({ assert }) => {
    const name = unique('template')
    const first = await createTemplate(as, [], { name })
    await createTemplate(as, [], { name, template_type: 'group' })
    const other = await createTemplate(as, [])
    for (const call of [
      as.post('/permission-templates', { name, descr: '' }),
      as.put(`/permission-templates/${other}`, { name }),
      as.put(`/permission-templates/${first}`, { template_type: 'group' }),
    ]) {
      const response = await call
      response.assertStatus(409)
      assert.include(response.body().message, name)
    }
    const body = { name: unique('template'), descr: '' }
    const answers = await Promise.all([1, 2, 3].map(() => as.post('/permission-templates', body)))
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [201, 409, 409])
  })

  test('an assigned template cannot be deleted or change its type', async ({ assert }) => {
    const group = await createGroup(as, ['search'])
    const user = await person({ permissions: ['search'] })
    const row = await db.from('zw_users').where('id', user.id).firstOrFail()
    for (const [id, holders] of [
      [group.template, 'groups'],
      [Number(row.permission_template_id), 'users'],
    ] as const) {
      const { template_type: type } = await templateOf(id)
      const other = type === 'user' ? 'group' : 'user'
      for (const call of [
        as.delete(`/permission-templates/${id}`),
        as.put(`/permission-templates/${id}`, { template_type: other }),
      ]) {
        const response = await call
        response.assertStatus(409)
        assert.match(response.body().message, new RegExp(`assigned to one or more ${holders}$`))
      }
      await expectStatus(as.put(`/permission-templates/${id}`, { template_type: type }), 200)
    }
    const free = await createTemplate(as, [])
    await expectStatus(as.put(`/permission-templates/${free}`, { template_type: 'group' }), 200)
    assert.equal(await memberOf(free, 'template_type'), 'group')
  })

  test('a template is either deleted or assigned to a group, if both happen at once', async ({
    assert,
  }) => {
    const id = await createTemplate(as, [], { template_type: 'group' })
    const name = unique('group')
    const [deleted, created] = await Promise.all([
      as.delete(`/permission-templates/${id}`),
      as.post('/groups', { name, perm_templ_id: id }),
    ])
    assert.include(['200 400', '409 201'], `${deleted.status()} ${created.status()}`)
  })
})

test.group('Permission templates: permissions', (tests) => {
  setUp(tests)

  test('each call requires its permission, which is checked before the template', async ({
    client,
    assert,
  }) => {
    const before = await accountState()
    for (const [permissions, statuses] of [
      [
        ['zone_content_view_others', 'user_edit_others'],
        [403, 403, 403, 403, 403],
      ],
      [['templ_perm_add'], [403, 400, 403, 403, 403]],
      [['templ_perm_edit'], [404, 403, 404, 403, 200]],
      [['user_edit_templ_perm'], [403, 403, 403, 404, 403]],
    ] as const) {
      const asMember = caller(client, await person({ permissions: [...permissions] }))
      const at = `/permission-templates/${NOTHING}`
      const answers = [
        await asMember.get(at),
        await asMember.post('/permission-templates', { name: 5 }),
        await asMember.put(at, { name: 5 }),
        await asMember.delete(at),
        await asMember.get('/permissions'),
      ]
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [...statuses]
      )
      await expectStatus(asMember.get('/permission-templates'), statuses[4])
      await expectStatus(asMember.get('/permissions/41'), statuses[4])
    }
    const after = await accountState()
    assert.deepEqual(after[0], before[0])
  })

  test('nobody grants a permission that they do not hold', async ({ client, assert }) => {
    const group = await createTeam(['search'])
    const creator = await person({
      permissions: ['templ_perm_add', 'templ_perm_edit', 'zone_content_view_own'],
      groups: [group.name],
    })
    const asMember = caller(client, creator)
    const body = (...permissions: Permission[]) => ({
      name: unique('template'),
      descr: '',
      permissions: idsOf(...permissions),
    })
    const held = body('templ_perm_add', 'search', 'zone_content_view_own')
    const own = await dataOf(asMember.post('/permission-templates', held), 'id')
    const rich = await createTemplate(as, ['zone_delete_others', 'search'])
    const royal = await createTemplate(as, ['user_is_ueberuser'])
    const before = await accountState()
    for (const [call, word] of [
      [asMember.post('/permission-templates', body('user_is_ueberuser')), 'user_is_ueberuser'],
      [asMember.post('/permission-templates', body('search', 'user_add_new')), 'user_add_new'],
      [asMember.put(`/permission-templates/${own}`, body('user_add_new')), 'user_add_new'],
      [
        asMember.put(`/permission-templates/${own}`, body('user_is_ueberuser')),
        'user_is_ueberuser',
      ],
      [asMember.put(`/permission-templates/${rich}`, body('user_edit_own')), 'user_edit_own'],
      [asMember.put(`/permission-templates/${royal}`, { descr: 'x' }), 'administrators'],
      [asMember.put(`/permission-templates/${royal}`, { permissions: 5 }), 'administrators'],
    ] as const) {
      const response = await call
      response.assertStatus(403)
      assert.include(response.body().message, word)
    }
    assert.deepEqual(await accountState(), before)
    // Existing permissions may stay, and every permission may be removed.
    await expectStatus(
      asMember.put(`/permission-templates/${rich}`, body('zone_delete_others')),
      200
    )
    await expectStatus(asMember.put(`/permission-templates/${rich}`, { permissions: [] }), 200)
  })

  test('nobody adds permissions to a template that is assigned to them', async ({
    client,
    assert,
  }) => {
    const group = await createGroup(as, ['templ_perm_edit'])
    const creator = await person({
      permissions: ['zone_content_view_own', 'search'],
      groups: [group.name],
    })
    const row = await db.from('zw_users').where('id', creator.id).firstOrFail()
    const asMember = caller(client, creator)
    for (const id of [group.template, Number(row.permission_template_id)]) {
      const before = await accountState()
      const grants = [...idsOf('templ_perm_edit', 'search', 'zone_content_view_own')]
      const response = await asMember.put(`/permission-templates/${id}`, { permissions: grants })
      response.assertStatus(403)
      assert.include(response.body().message, 'that grants your own permissions')
      assert.deepEqual(await accountState(), before)
      await expectStatus(asMember.put(`/permission-templates/${id}`, { descr: 'mine' }), 200)
    }
  })

  test('only administrators delete a template with administrator rights, whatever the body', async ({
    client,
  }) => {
    const royal = await createTemplate(as, ['user_is_ueberuser'])
    const plain = await createTemplate(as, ['zone_delete_others'])
    const asMember = caller(client, await person({ permissions: ['user_edit_templ_perm'] }))
    await expectStatus(asMember.delete(`/permission-templates/${royal}`), 403)
    const body = { dry_run: 'perhaps' }
    await expectStatus(asMember.delete(`/permission-templates/${royal}`, body), 403)
    await expectStatus(asMember.delete('/permission-templates/2147483647', body), 404)
    await expectStatus(asMember.delete(`/permission-templates/${plain}`, body), 400)
    await expectStatus(asMember.delete(`/permission-templates/${plain}`), 200)
    await expectStatus(as.delete(`/permission-templates/${royal}`), 200)
  })
})

test.group('Permission templates and permissions: the lists', (tests) => {
  setUp(tests)

  test('templates can be sorted, filtered, searched and paged', async ({ assert }) => {
    const word = unique('t')
    const ten = await createTemplate(as, [], { name: `${word}10`, descr: 'ten' })
    const two = await createTemplate(as, [], { name: `${word}2`, template_type: 'group' })
    const one = await createTemplate(as, [], {
      name: `${word.toUpperCase()}1`,
      descr: `not ${word}2`,
    })
    for (const [query, expected] of [
      ['', [one, ten, two]],
      ['&sort=name', [one, two, ten]],
      ['&sort=id:desc', [one, two, ten]],
      ['&sort=name:desc', [ten, two, one]],
      ['&sort=template_type,name:desc', [two, ten, one]],
      ['&type=user', [one, ten]],
      ['&type=GROUP', [two]],
      ['&type=', [one, ten, two]],
      ['2', [one, two]],
      ['&type=user&per_page=1&page=2', [ten]],
    ] as [string, number[]][]) {
      const found = await dataOf(as.get(`/permission-templates?q=${word}${query}`), 'templates')
      assert.deepEqual(
        found.map(({ id }: { id: number }) => id),
        expected,
        query
      )
    }
    const response = await as.get('/permission-templates?type=foo')
    response.assertStatus(400)
    assert.match(response.body().message, /'type' must be one of user, group/)
    await expectStatus(as.get('/permission-templates?sort=descr'), 400)
  })

  test('GET /permissions lists every permission by name', async ({ assert }) => {
    const found: { id: number; name: string }[] = await dataOf(
      as.get('/permissions'),
      'permissions'
    )
    const names = Object.keys(PERMISSIONS).sort()
    assert.deepEqual(
      found.map(({ name }) => name),
      names
    )
    const { id, meaning } = PERMISSIONS.zone_master_add
    const one = { id, name: 'zone_master_add', descr: meaning, description: meaning }
    assert.deepInclude(found, one)
    assert.deepEqual(await dataOf(as.get('/permissions/41'), 'permission'), one)
    for (const missing of [66, 9999, '99999999999999']) {
      const response = await as.get(`/permissions/${missing}`)
      response.assertStatus(404)
      response.assertBodyContains({ message: 'Permission not found' })
    }
    await expectStatus(as.post('/permissions', {}), 405)
    const page = await as.get('/permissions?sort=id:desc&q=CHANGE_approve&per_page=1')
    assert.deepEqual(page.body().pagination, {
      current_page: 1,
      per_page: 1,
      total: 2,
      last_page: 2,
    })
    assert.equal(page.body().data.permissions[0].id, 84)
    await expectStatus(as.get('/permissions?sort=descr'), 400)
  })
})
