import { test } from '@japa/runner'
import type { Actor } from '#access/actor'
import { authorize, type AccessRequest } from '#access/authorize'
import type { Permission } from '#access/permissions'
import { loadSettings } from '#settings/load'

const actorWith = (permission: Permission): Actor => ({
  userId: 7,
  username: 'ann',
  permissions: new Set([permission]),
  groups: [],
  key: null,
  address: null,
  channel: 'api',
})

/** Requests that one permission allows; administrators need none. */
const REQUESTS: [request: AccessRequest, permission: Permission][] = [
  [{ action: 'server.view_status' }, 'server_status_view'],
  [{ action: 'server.view_autoprimaries' }, 'supermaster_view'],
  [{ action: 'server.edit_autoprimaries' }, 'supermaster_edit'],
  [{ action: 'server.manage_jobs' }, 'user_is_ueberuser'],
  [{ action: 'audit.view', area: 'users' }, 'user_logs_view'],
  [{ action: 'audit.view', area: 'zones' }, 'user_is_ueberuser'],
  [{ action: 'user.list' }, 'user_view_others'],
  [{ action: 'zone_template.create', isGlobal: false }, 'zone_templ_add'],
  [{ action: 'template.create', grants: new Set() }, 'templ_perm_add'],
]

test.group('Reasons of decisions by permission', (group) => {
  group.setup(async () => {
    await loadSettings()
  })

  for (const [request, permission] of REQUESTS) {
    const name = 'area' in request ? `${request.action} (${request.area})` : request.action
    test(`${name} names the permission that grants or lacks it`, ({ assert }) => {
      const granted = authorize(actorWith(permission), request)
      assert.isTrue(granted.allowed)
      assert.equal(granted.reasons[0].message, `Granted by ${permission}`)
      const administrator = authorize(actorWith('user_is_ueberuser'), request)
      assert.isTrue(administrator.allowed)
      assert.match(administrator.reasons[0].message, /^Granted by /)
      const refused = authorize(actorWith('search'), request)
      assert.isFalse(refused.allowed)
      assert.match(
        refused.reasons[0].message,
        /^(You do not have permission to|Only administrators)/
      )
      assert.equal(refused.reasons[0].source, permission)
    })
  }

  test('dynamic DNS names the permission that grants it', ({ assert }) => {
    const request = { action: 'dyndns.use' } as const
    const granted = authorize(actorWith('zone_content_edit_own'), request)
    assert.equal(granted.reasons[0].message, 'Granted by zone_content_edit_own')
    assert.isFalse(authorize(actorWith('search'), request).allowed)
  })
})
