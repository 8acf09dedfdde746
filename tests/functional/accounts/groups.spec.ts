// @databases
import type { ApiResponse } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  accountState,
  idsOf,
  addToGroup,
  createGroup,
  createTemplate,
  NOTHING,
  onlyAdministrator,
} from '#tests/support/app/people/accounts'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'
import { ownersOf } from '#tests/support/app/zones/zones'

let admin: Person
let as: Caller

const setUp = (group: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => {
    as = caller(t.context.client, admin)
  })
}

const listed = (asUser: Caller, query = ''): Promise<{ id: number; name: string }[]> =>
  dataOf(asUser.get(`/groups${query}`), 'groups')

const listedIds = async (asUser: Caller): Promise<number[]> => {
  const groups = await listed(asUser)
  return groups.map(({ id }) => id)
}

test.group('Groups', (group) => {
  setUp(group)

  test('a group is created, read, changed and deleted', async ({ assert }) => {
    const template = await createTemplate(as, ['zone_content_view_own'], { template_type: 'group' })
    const name = unique('group')
    const createdGroup = await as.post('/groups', {
      name,
      perm_templ_id: template,
      description: 'ours',
    })
    createdGroup.assertStatus(201)
    const { id } = createdGroup.body().data.group
    assert.deepEqual(createdGroup.body().data, { group: { id, name } })

    const read = await as.get(`/groups/${id}`)
    read.assertStatus(200)
    const { created_at: created, ...rest } = read.body().data.group
    assert.match(created, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    assert.deepEqual(rest, {
      id,
      name,
      description: 'ours',
      perm_templ_id: template,
      member_count: 0,
      zone_count: 0,
      members: [],
      zones: [],
    })

    const changed = await as.put(`/groups/${id}`, { description: 'theirs' })
    changed.assertStatus(200)
    const { updated_at: updated, ...after } = changed.body().data.group
    assert.match(updated, /^\d{4}-/)
    assert.deepEqual(after, {
      id,
      name,
      description: 'theirs',
      perm_templ_id: template,
      created_at: created,
    })

    const deleted = await as.delete(`/groups/${id}`)
    deleted.assertStatus(200)
    deleted.assertBody({ success: true, data: null, message: 'Group deleted successfully' })
    await expectStatus(as.get(`/groups/${id}`), 404)
  })

  test('an empty update changes nothing', async ({ assert }) => {
    const createdGroup = await createGroup(as)
    const before = await dataOf(as.get(`/groups/${createdGroup.id}`))
    for (const body of [{}, { name: createdGroup.name }, { name: null }]) {
      await expectStatus(as.put(`/groups/${createdGroup.id}`, body), 200)
    }
    assert.deepEqual(await dataOf(as.get(`/groups/${createdGroup.id}`)), before)
  })

  test('an update to the stored values keeps the time of the change', async ({ assert }) => {
    const { id, name } = await createGroup(as)
    const row = () => db.from('zw_groups').where('id', id).first()
    await db.from('zw_groups').where('id', id).update({ updated_at: '2001-02-03T04:05:06.000Z' })
    const before = await row()
    for (const body of [{}, { name }, { name, description: before.description }]) {
      const response = await as.put(`/groups/${id}`, body)
      response.assertStatus(200)
      assert.equal(response.body().data.group.updated_at, '2001-02-03 04:05:06')
    }
    assert.deepEqual(await row(), before)
  })

  test('a taken name gets 400 for creation and rename', async ({ assert }) => {
    const first = await createGroup(as)
    const second = await createGroup(as)
    const body = { name: first.name, perm_templ_id: first.template }
    for (const call of [
      as.post('/groups', body),
      as.put(`/groups/${second.id}`, { name: first.name }),
    ]) {
      const response = await call
      response.assertStatus(400)
      response.assertBodyContains({ message: 'A group with this name already exists' })
    }
    assert.equal(await dataOf(as.get(`/groups/${second.id}`), 'group.name'), second.name)
  })

  test('concurrent creations with one name create one group', async ({ assert }) => {
    const template = await createTemplate(as, [], { template_type: 'group' })
    const body = { name: unique('group'), perm_templ_id: template }
    const answers = await Promise.all([1, 2, 3, 4].map(() => as.post('/groups', body)))
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [201, 400, 400, 400])
    assert.lengthOf(await db.from('zw_groups').where('name', body.name), 1)
  })

  test('an invalid group gets 400 and nothing is created', async ({ assert }) => {
    const { template } = await createGroup(as)
    const user = await createTemplate(as, [])
    const before = await accountState()
    for (const body of [
      {},
      { perm_templ_id: template },
      { name: unique('group') },
      { name: '', perm_templ_id: template },
      { name: ' blank', perm_templ_id: template },
      { name: 'line\nfeed', perm_templ_id: template },
      { name: 'x'.repeat(256), perm_templ_id: template },
      { name: 5, perm_templ_id: template },
      { name: unique('group'), perm_templ_id: user },
      { name: unique('group'), perm_templ_id: NOTHING },
      { name: unique('group'), perm_templ_id: 0 },
      { name: unique('group'), perm_templ_id: 99_999_999_999 },
      { name: unique('group'), perm_templ_id: 1.5 },
      { name: unique('group'), perm_templ_id: 'seven' },
      { name: unique('group'), perm_templ_id: template, description: 'x'.repeat(1025) },
    ]) {
      const response = await as.post('/groups', body)
      response.assertStatus(400)
      assert.notMatch(response.body().message, /SQL|constraint|insert/i)
    }
    assert.deepEqual(await accountState(), before)
  })

  test('a missing group gets 404 before its body is validated', async () => {
    for (const id of [NOTHING, 0, '99999999999999999999']) {
      await expectStatus(as.get(`/groups/${id}`), 404)
      await expectStatus(as.put(`/groups/${id}`, { name: 5 }), 404)
      await expectStatus(as.delete(`/groups/${id}`), 404)
      await expectStatus(as.get(`/groups/${id}/members`), 404)
      await expectStatus(as.post(`/groups/${id}/members`, { user_id: 'x' }), 404)
      await expectStatus(as.delete(`/groups/${id}/members/1`), 404)
      await expectStatus(as.get(`/groups/${id}/zones`), 404)
      await expectStatus(as.post(`/groups/${id}/zones`, { zone_id: 'x' }), 404)
      await expectStatus(as.delete(`/groups/${id}/zones/1`), 404)
    }
  })

  test('deleting a group with zones requires confirm=true', async ({ assert }) => {
    const createdGroup = await createGroup(as, ['zone_content_view_own'])
    const member = await person()
    await addToGroup(createdGroup, member)
    const input = { name: zoneNamed(), owner_user_id: null, group_ids: [createdGroup.id] }
    const zone = await createZone(as, input)
    for (const query of ['', '?confirm=false', '?confirm=0', '?confirm=']) {
      const response = await as.delete(`/groups/${createdGroup.id}${query}`)
      response.assertStatus(query === '?confirm=' ? 400 : 409)
    }
    await expectStatus(as.delete(`/groups/${createdGroup.id}?confirm=yes`), 400)
    assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [createdGroup.id] })
    await expectStatus(as.delete(`/groups/${createdGroup.id}?confirm=true`), 200)
    assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [] })
    await expectStatus(as.get(`/zones/${zone.id}`), 200)
    assert.deepEqual(await db.from('zw_group_members').where('group_id', createdGroup.id), [])
  })

  test('a dry run changes nothing, and a repeat is idempotent', async ({ assert }) => {
    const createdGroup = await createGroup(as)
    const before = await accountState()
    for (const call of [
      as.post('/groups', {
        name: unique('group'),
        perm_templ_id: createdGroup.template,
        dry_run: true,
      }),
      as.put(`/groups/${createdGroup.id}?dry_run=true`, { name: unique('group') }),
      as.delete(`/groups/${createdGroup.id}?dry_run=true`),
      as.post(`/groups/${createdGroup.id}/members?dry_run=1`, { user_id: admin.id }),
    ]) {
      const response = await call
      response.assertStatus(200)
      response.assertBodyContains({ message: 'Dry run: nothing was changed' })
    }
    assert.deepEqual(await accountState(), before)
    const body = { name: unique('group'), perm_templ_id: createdGroup.template }
    const key = unique('key')
    const first = await as.post('/groups', body).header('Idempotency-Key', key)
    const secondResponse = await as.post('/groups', body).header('Idempotency-Key', key)
    first.assertStatus(201)
    secondResponse.assertStatus(201)
    assert.deepEqual(secondResponse.body(), first.body())
    await expectStatus(as.put(`/groups/${createdGroup.id}`, {}).header('If-Match', '"x"'), 400)
  })
})

test.group('Groups: the last administrator', (group) => {
  setUp(group)

  test('no change of a group removes the last administrator', async ({ client, assert }) => {
    const rulers = await createGroup(as, ['user_is_ueberuser'])
    const plain = await createTemplate(as, [], { template_type: 'group' })
    const last = await person({ groups: [rulers.name] })
    const asMember = caller(client, last)
    const restore = await onlyAdministrator(last)
    try {
      const before = await accountState()
      for (const call of [
        asMember.put(`/groups/${rulers.id}`, { perm_templ_id: plain }),
        asMember.delete(`/groups/${rulers.id}`),
        asMember.delete(`/groups/${rulers.id}/members/${last.id}`),
        asMember.put(`/permission-templates/${rulers.template}`, { permissions: [] }),
        asMember.put(`/permission-templates/${rulers.template}`, { permissions: idsOf('search') }),
      ]) {
        const response = await call
        response.assertStatus(409)
        assert.match(response.body().message, /No active administrator .* would be left/)
      }
      assert.deepEqual(await accountState(), before)
      await expectStatus(asMember.put(`/groups/${rulers.id}`, { description: 'still' }), 200)
    } finally {
      await restore()
    }
  })

  test('of two concurrent removals of administrators one fails', async ({ client, assert }) => {
    const rulers = await createGroup(as, ['user_is_ueberuser'])
    const pair = [await person({ groups: [rulers.name] }), await person({ groups: [rulers.name] })]
    const restore = await onlyAdministrator(pair[0])
    await db.from('zw_users').where('id', pair[1].id).update({ active: true })
    try {
      const answers = await Promise.all(
        pair.map((one) => caller(client, one).delete(`/groups/${rulers.id}/members/${one.id}`))
      )
      assert.deepEqual(answers.map((answer) => answer.status()).sort(), [200, 409])
      assert.lengthOf(await db.from('zw_group_members').where('group_id', rulers.id), 1)
    } finally {
      await restore()
    }
  })
})

test.group('Groups: permissions', (group) => {
  setUp(group)

  test('only administrators write groups or see members', async ({ client, assert }) => {
    const ownTeam = await createTeam(['zone_content_view_own'])
    const otherTeam = await createTeam([])
    const options = { template: 'Zone Manager', groups: [ownTeam.name] }
    const asMember = caller(client, await person(options))
    const before = await accountState()
    for (const id of [ownTeam.id, otherTeam.id, NOTHING]) {
      const calls = [
        asMember.put(`/groups/${id}`, { name: unique('group') }),
        asMember.delete(`/groups/${id}?confirm=true`),
        asMember.get(`/groups/${id}/members`),
        asMember.post(`/groups/${id}/members`, { user_id: admin.id }),
        asMember.delete(`/groups/${id}/members/${admin.id}`),
        asMember.post(`/groups/${id}/zones`, { zone_id: 1 }),
        asMember.delete(`/groups/${id}/zones/1`),
      ]
      for (const call of calls) {
        const response = await call
        response.assertStatus(403)
        assert.match(response.body().message, /^Only administrators can/)
      }
    }
    await expectStatus(asMember.post('/groups', { name: 5 }), 403)
    const answers: ApiResponse[] = []
    for (const path of ['', '/zones']) {
      await expectStatus(asMember.get(`/groups/${ownTeam.id}${path}`), 200)
      answers.push(await asMember.get(`/groups/${otherTeam.id}${path}`))
      answers.push(await asMember.get(`/groups/${NOTHING}${path}`))
    }
    answers.forEach((answer) => {
      answer.assertStatus(403)
      answer.assertBody(answers[0].body())
    })
    assert.deepEqual(await accountState(), before)
  })

  test('other users see their own groups without members', async ({ client, assert }) => {
    const ownTeam = await createTeam([])
    const member = await person({ groups: [ownTeam.name] })
    const asMember = caller(client, member)
    assert.deepEqual(await listedIds(asMember), [ownTeam.id])
    const { members, member_count: count } = await dataOf(
      asMember.get(`/groups/${ownTeam.id}`),
      'group'
    )
    assert.deepEqual(members, [])
    assert.equal(count, 1)
    const full = await dataOf(as.get(`/groups/${ownTeam.id}`), 'group.members')
    assert.deepEqual(full, [{ user_id: member.id, username: member.username }])
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    assert.deepEqual(await listedIds(stranger), [])
    assert.include(await listedIds(as), ownTeam.id)
  })

  test('the operations of a key apply', async ({ client }) => {
    const { id, template } = await createGroup(as)
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    await expectStatus(reader.get(`/groups/${id}`), 200)
    await expectStatus(reader.put(`/groups/${id}`, { description: 'x' }), 403)
    const creator = caller(client, await keyFor(admin, { operations: ['create'] }))
    const body = { name: unique('group'), perm_templ_id: template }
    // Groups grant rights, so a key with any restriction cannot create one.
    await expectStatus(creator.post('/groups', body), 403)
    await expectStatus(creator.get('/groups'), 403)
    await expectStatus(creator.delete(`/groups/${id}`), 403)
  })
})

test.group('Groups: the list', (group) => {
  setUp(group)

  test('the list can be sorted, searched and paged', async ({ assert }) => {
    const word = unique('list')
    const template = await createTemplate(as, [], { template_type: 'group' })
    const ids: number[] = []
    for (const [name, description] of [
      [`${word}10`, 'ten'],
      [`${word}2`, 'TWO 100%'],
      [`${word.toUpperCase()}1`, 'one'],
    ]) {
      const body = { name, description, perm_templ_id: template }
      ids.push(await dataOf(as.post('/groups', body), 'group.id'))
    }
    const [ten, two, one] = ids
    await addToGroup({ id: ten }, admin, await person())
    await addToGroup({ id: two }, admin)
    await createZone(as, { name: zoneNamed(), group_ids: [one] })
    for (const [query, expected] of [
      ['', [one, ten, two]],
      ['&sort=name', [one, two, ten]],
      ['&sort=name:desc', [ten, two, one]],
      ['&sort=id:asc', [ten, two, one]],
      ['&sort=member_count', [one, two, ten]],
      ['&sort=zone_count:desc,name', [one, two, ten]],
      ['&sort=created_at:desc', [one, two, ten]],
      ['&per_page=2', [one, ten]],
      ['&per_page=2&page=2', [two]],
    ] as [string, number[]][]) {
      const found = await listed(as, `?q=${word}${query}`)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected,
        query
      )
    }
    const hit = await as.get(`/groups?q=${encodeURIComponent('two 100%')}&per_page=1`)
    assert.deepEqual(hit.body().pagination, {
      current_page: 1,
      per_page: 1,
      total: 1,
      last_page: 1,
    })
    for (const sort of ['description', 'name,name', 'name:up']) {
      const response = await as.get(`/groups?sort=${sort}`)
      response.assertStatus(400)
      assert.include(response.body().message, 'id, name, member_count, zone_count, created_at')
    }
  })

  test('counts take the same number of queries for one group and for many', async ({ assert }) => {
    const sent = () => statementsOf(() => listed(as))
    const before = await sent()
    for (let i = 0; i < 3; i++) {
      await createGroup(as)
    }
    assert.isNotEmpty(before)
    assert.lengthOf(await sent(), before.length)
  })

  test('counts are read for the groups of a page, and for all groups only if the list is sorted by a count', async ({
    assert,
  }) => {
    for (let i = 0; i < 3; i++) {
      await createGroup(as)
    }
    /** The number of counted groups: each group and the constant 0 are bindings of the statement. */
    const counted = async (query: string) => {
      const sent = await statementsOf(() => listed(as, query))
      const counts = ['zw_group_members', 'zw_zone_groups'].map((table) =>
        sent.find((sql) => sql.includes(table) && sql.includes('count('))
      )
      return counts.map(
        (sql) => /group_id\S? in \(([^)]*)\)/.exec(sql ?? '')![1].split(',').length - 1
      )
    }
    const { length: all } = await listed(as)
    assert.deepEqual(await counted('?per_page=2'), [2, 2])
    assert.deepEqual(await counted('?per_page=2&page=2&sort=name:desc'), [2, 2])
    assert.deepEqual(await counted('?per_page=2&sort=zone_count:desc'), [2, all])
    assert.deepEqual(await counted('?per_page=2&sort=member_count'), [all, 2])
  })
})
