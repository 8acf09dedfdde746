import { test } from '@japa/runner'
import type { Permission } from '#access/permissions'
import { caller, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { person, createTeam, type Person } from '#tests/support/app/people/people'
import { withSettings } from '#tests/support/app/settings'
import { signedIn } from '#tests/support/web/client'

const HELPER: Permission[] = ['user_view_others', 'user_edit_others', 'user_passwd_edit_others']

test.group('Users with more rights than the caller', (group) => {
  let helper: Person
  let as: Caller

  group.each.setup(async (t) => {
    helper = await person({ permissions: HELPER })
    as = caller(t.context.client, helper)
  })

  const password = () => ({ password: `a-long-${unique('password')}` })
  const email = () => ({ email: `${unique('mail')}@example.test` })
  const narrowly = (work: () => Promise<void>) =>
    withSettings({ permissions: { assign_only_held: true } }, work)

  for (const [what, permissions, narrow] of [
    ['nothing more', ['user_view_others'], 200],
    ['nothing', [], 200],
    ['zones of others', ['zone_content_edit_others'], 403],
    ['all that the helper has, and one more', [...HELPER, 'search'], 403],
  ] as [string, Permission[], number][]) {
    test(`a user with ${what}: ${narrow} if only held rights may be granted`, async ({
      assert,
    }) => {
      const { id } = await person({ permissions })
      for (const change of [password, email]) {
        const free = await as.put(`/users/${id}`, change())
        free.assertStatus(200)
        await narrowly(async () => {
          const response = await as.put(`/users/${id}`, change())
          response.assertStatus(narrow)
          if (narrow === 403) assert.include(response.body().message, permissions.at(-1)!)
        })
      }
      await narrowly(async () => {
        const otherResponse = await as.put(`/users/${id}`, { fullname: 'Somebody Else' })
        otherResponse.assertStatus(200)
      })
    })
  }

  test('rights of a group count', async () => {
    const { name } = await createTeam(['zone_content_edit_others'])
    const { id } = await person({ permissions: [], groups: [name] })
    await narrowly(async () => {
      const refused = await as.put(`/users/${id}`, password())
      refused.assertStatus(403)
    })
  })

  test('the page of the user shows the restriction', async ({ assert }) => {
    const { id } = await person({ permissions: ['zone_content_edit_others'] })
    const browser = await signedIn(helper)
    await narrowly(async () => {
      const page = await browser.get(`/users/${id}`)
      assert.include(page.html, 'You cannot change the sign-in of a user')
    })
    const free = await browser.get(`/users/${id}`)
    assert.notInclude(free.html, 'You cannot change the sign-in of a user')
  })
})
