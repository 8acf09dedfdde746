// @databases
import { test } from '@japa/runner'
import { caller, expectStatus, type Caller } from '#tests/support/app/api'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import {
  assertRefused,
  onlyAdministrators,
  userRow,
} from '#tests/support/app/people/all_account_rows'

const GUEST = 5

test.group('The last active administrator', (group) => {
  let admin: Person
  let otherUser: Person
  group.each.setup(async () => {
    admin = await administrator()
    const { name } = await createTeam(['user_is_ueberuser'])
    otherUser = await person({ groups: [name] })
    return onlyAdministrators([admin.id, otherUser.id])
  })

  const ENDS: [what: string, (as: Caller, id: number) => ReturnType<Caller['put']>][] = [
    ['deactivated', (as, id) => as.put(`/users/${id}`, { active: false })],
    ['deleted', (as, id) => as.delete(`/users/${id}`)],
  ]
  const DEMOTIONS: typeof ENDS = [
    ['given another template', (as, id) => as.put(`/users/${id}`, { perm_templ: GUEST })],
    [
      'given another template by PATCH',
      (as, id) => as.patch(`/users/${id}`, { perm_templ: GUEST }),
    ],
  ]

  for (const [what, end] of [...ENDS, ...DEMOTIONS]) {
    test(`the last administrator cannot be ${what}, unless there is another one`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, admin)
      await expectStatus(as.put(`/users/${otherUser.id}`, { active: false }), 200)
      await assertRefused(assert, end(as, admin.id), 409, /administrator/)
      await expectStatus(as.put(`/users/${otherUser.id}`, { active: true }), 200)
      await expectStatus(end(as, admin.id), 200)
    })
  }

  for (const [what, end] of ENDS) {
    test(`of two administrators who are ${what} by each other concurrently, one stays`, async ({
      client,
      assert,
    }) => {
      const answers = await Promise.all([
        end(caller(client, admin), otherUser.id),
        end(caller(client, otherUser), admin.id),
      ])
      const statuses = answers.map((answer) => answer.status()).sort((a, b) => a - b)
      // The deleted administrator's own request may fail at authentication or later.
      assert.equal(statuses[0], 200)
      assert.include([401, 403, 404, 409], statuses[1])
      const rows = [await userRow(admin.id), await userRow(otherUser.id)]
      assert.lengthOf(
        rows.filter((row) => row && Boolean(row.active)),
        1
      )
    })

    test(`of two administrators who are ${what} by themselves concurrently, one stays`, async ({
      client,
      assert,
    }) => {
      const answers = await Promise.all([
        end(caller(client, admin), admin.id),
        end(caller(client, otherUser), otherUser.id),
      ])
      const statuses = answers.map((answer) => answer.status()).sort((a, b) => a - b)
      assert.deepEqual(statuses, [200, 409])
    })
  }

  test('inactive administrators do not count', async ({ client }) => {
    const as = caller(client, admin)
    await expectStatus(as.put(`/users/${otherUser.id}`, { active: false }), 200)
    await expectStatus(as.delete(`/users/${otherUser.id}`), 200)
    await expectStatus(as.put(`/users/${admin.id}`, { fullname: 'Last', active: true }), 200)
  })
})
