import { test } from '@japa/runner'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import type { Permission } from '#access/permissions'
import { loadSettings } from '#settings/load'
import { withSettings } from '#tests/support/app/settings'

const HELPER: Permission[] = ['user_edit_others', 'user_passwd_edit_others']

function actorWith(own: Permission[], ofGroup: Permission[] = []): Actor {
  return {
    userId: 7,
    username: 'helper',
    permissions: new Set(own),
    groups: [{ id: 1, name: 'crew', permissions: new Set(ofGroup) }],
    key: null,
    address: null,
    channel: 'api',
  }
}

test.group('Passwords and addresses of other users', (group) => {
  group.setup(async () => {
    await loadSettings()
  })

  for (const [what, actor, user, wide, narrow] of [
    ['who holds nothing', actorWith(HELPER), { id: 9, held: [] }, true, true],
    ['who holds as much', actorWith(HELPER), { id: 9, held: HELPER }, true, true],
    ['who holds more', actorWith(HELPER), { id: 9, held: [...HELPER, 'search'] }, true, false],
    ['who holds other rights', actorWith(HELPER), { id: 9, held: ['search'] }, true, false],
    ['as a group gives', actorWith(HELPER, ['search']), { id: 9, held: ['search'] }, true, true],
    ['their own', actorWith([...HELPER, 'user_edit_own']), { id: 7, held: ['search'] }, true, true],
    ['by an administrator', actorWith(['user_is_ueberuser']), { id: 9, held: HELPER }, true, true],
    ['without the right', actorWith(['search']), { id: 9, held: [] }, false, false],
  ] as [string, Actor, { id: number; held: Permission[] }, boolean, boolean][]) {
    test(`${what}: ${wide}, and ${narrow} if only held permissions may be assigned`, async ({
      assert,
    }) => {
      const facts = { id: user.id, isSuperUser: false, permissions: new Set(user.held) }
      for (const action of ['user.set_password', 'user.set_email'] as const) {
        assert.equal(authorize(actor, { action, user: facts }).allowed, wide)
        await withSettings({ permissions: { assign_only_held: true } }, () => {
          const { allowed, reasons } = authorize(actor, { action, user: facts })
          assert.equal(allowed, narrow, action)
          if (wide && !narrow) {
            assert.include(reasons[0].message, 'search')
            assert.equal(reasons.at(-1)?.source, 'permissions.assign_only_held')
          }
        })
      }
    })
  }

  test('other members of such a user may be changed', async ({ assert }) => {
    const facts = { id: 9, isSuperUser: false, permissions: new Set<Permission>(['search']) }
    await withSettings({ permissions: { assign_only_held: true } }, () => {
      assert.isTrue(authorize(actorWith(HELPER), { action: 'user.edit', user: facts }).allowed)
    })
  })
})
