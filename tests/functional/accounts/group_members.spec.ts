// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { accountState, addToGroup, createGroup, NOTHING } from '#tests/support/app/people/accounts'
import { caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'

let admin: Person
let as: Caller
let group: Awaited<ReturnType<typeof createGroup>>

test.group('Members of a group', (tests) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    group = await createGroup(as)
  })

  const members = (query = ''): Promise<Record<string, unknown>[]> =>
    dataOf(as.get(`/groups/${group.id}/members${query}`), 'members')

  test('a user joins a group, is listed and leaves', async ({ client, assert }) => {
    const user = await person()
    const joined = await as.post(`/groups/${group.id}/members`, { user_id: user.id })
    joined.assertStatus(201)
    joined.assertBody({ success: true, data: null, message: 'Member added successfully' })
    const [{ joined_at: since, ...member }] = await members()
    assert.match(String(since), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const fields = { user_id: user.id, username: user.username, fullname: '', email: '' }
    assert.deepEqual(member, fields)
    assert.lengthOf(await dataOf(caller(client, user).get('/groups'), 'groups'), 1)

    const left = await as.delete(`/groups/${group.id}/members/${user.id}`)
    left.assertStatus(200)
    left.assertBody({ success: true, data: null, message: 'Member removed successfully' })
    assert.deepEqual(await members(), [])
    await expectStatus(as.delete(`/groups/${group.id}/members/${user.id}`), 404)
    await expectStatus(as.delete(`/groups/${group.id}/members/${NOTHING}`), 404)
    await expectStatus(as.delete(`/groups/${group.id}/members/99999999999999`), 404)
    await expectStatus(as.delete(`/groups/${group.id}/members/joe`), 404)
  })

  test('the user id may be a number or a string; an invalid id gets 400, an unknown one 404', async ({
    assert,
  }) => {
    const user = await person()
    const at = `/groups/${group.id}/members`
    await expectStatus(as.post(at, { user_id: String(user.id) }), 201)
    const before = await accountState()
    for (const body of [
      {},
      { user_id: null },
      { user_id: 0 },
      { user_id: -1 },
      { user_id: 'joe' },
      { user_id: 1.5 },
      { user_id: [user.id] },
    ]) {
      await expectStatus(as.post(at, body), 400)
    }
    for (const id of [NOTHING, 99_999_999_999]) {
      const response = await as.post(at, { user_id: id })
      response.assertStatus(404)
      response.assertBodyContains({ message: 'User not found' })
    }
    const secondResponse = await as.post(at, { user_id: user.id })
    secondResponse.assertStatus(400)
    secondResponse.assertBodyContains({ message: 'User is already a member of this group' })
    assert.deepEqual(await accountState(), before)
  })

  test('concurrent requests to join create one membership', async ({ assert }) => {
    const user = await person()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => as.post(`/groups/${group.id}/members`, { user_id: user.id }))
    )
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [201, 400, 400, 400])
    assert.lengthOf(await members(), 1)
  })

  test('the list has the newest member first, and can be sorted, searched and paged', async ({
    assert,
  }) => {
    const word = unique('m')
    const people = []
    for (const [fullname, email] of [
      [`${word} 10`, `c@${word}.test`],
      [`${word} 9`, `b@${word}.test`],
      ['Somebody', `a@${word}.test`],
    ]) {
      const one = await person()
      await db.from('zw_users').where('id', one.id).update({ fullname, email })
      people.push(one)
      await as.post(`/groups/${group.id}/members`, { user_id: one.id })
    }
    await addToGroup(group, admin)
    const [ten, nine, some] = people.map(({ id }) => id)
    for (const [query, expected] of [
      ['?', [admin.id, some, nine, ten]],
      ['?sort=joined_at', [ten, nine, some, admin.id]],
      [`?q=${word.toUpperCase()}&sort=email`, [some, nine, ten]],
      [`?q=${word}%20&sort=fullname`, [nine, ten]],
      [`?q=${word}&sort=user_id:desc&per_page=2&page=2`, [ten]],
      [`?q=${people[0].username}&sort=username`, [ten]],
    ] as [string, number[]][]) {
      const found = await members(query)
      assert.deepEqual(
        found.map((member) => member.user_id),
        expected,
        query
      )
    }
    await expectStatus(as.get(`/groups/${group.id}/members?sort=password`), 400)
  })
})
