import { unique } from '#tests/support/app/names'
import { refusalOf, succeed, take } from '#tests/support/typed_client/client'
import { typedZone, type Scenario, type TypedScene } from '#tests/support/typed_client/scene'

/** Creates a user without rights. */
function newUser({ api }: TypedScene) {
  const body = { username: unique('typed'), password: unique('password'), fullname: 'Ann B' }
  return take(api.POST('/v2/users', { body }), 'user_id')
}

/** Users, groups, permissions and keys. */
export const ACCOUNT_SCENARIOS = {
  'Users': async (scene) => {
    const { api, assert } = scene
    const id = await newUser(scene)
    const params = { path: { id } }
    const user = await take(api.GET('/v2/users/{id}', { params }), 'user')
    assert.deepEqual([user.user_id, user.active, user.use_ldap, user.groups], [id, true, false, []])
    const changed = await take(
      api.PUT('/v2/users/{id}', { params, body: { description: 'On call' } }),
      'user_id'
    )
    assert.equal(changed, id)
    const [listed] = await take(
      api.GET('/v2/users', { params: { query: { username: user.username } } }),
      'users'
    )
    assert.deepEqual([listed.description, listed.zone_count], ['On call', 0])
    const affected = await take(api.DELETE('/v2/users/{id}', { params }), 'zones_affected')
    assert.equal(affected, 0)
  },

  'Groups': async (scene) => {
    const { api, assert } = scene
    const templates = await take(
      api.GET('/v2/permission-templates', { params: { query: { type: 'group' } } }),
      'templates'
    )
    const body = { name: unique('typed'), perm_templ_id: templates[0].id }
    const { id } = await take(api.POST('/v2/groups', { body }), 'group')
    const params = { path: { id } }
    const user = await newUser(scene)
    const zone = await typedZone(scene)
    await succeed(api.POST('/v2/groups/{id}/members', { params, body: { user_id: user } }))
    await succeed(api.POST('/v2/groups/{id}/zones', { params, body: { zone_id: zone.id } }))
    const members = await take(api.GET('/v2/groups/{id}/members', { params }), 'members')
    const zones = await take(api.GET('/v2/groups/{id}/zones', { params }), 'zones')
    assert.deepEqual(
      [members.map((one) => one.user_id), zones.map((one) => one.zone_name)],
      [[user], [zone.name]]
    )
    const group = await take(api.GET('/v2/groups/{id}', { params }), 'group')
    assert.deepEqual([group.member_count, group.zone_count], [1, 1])
  },

  'Permissions': async ({ api, assert }) => {
    const permissions = await take(api.GET('/v2/permissions'), 'permissions')
    const search = permissions.find((one) => one.name === 'search')!
    const body = {
      name: unique('typed'),
      descr: 'May search',
      template_type: 'user' as const,
      permissions: [search.id],
    }
    const id = await take(api.POST('/v2/permission-templates', { body }), 'id')
    const template = await take(
      api.GET('/v2/permission-templates/{id}', { params: { path: { id } } }),
      'template'
    )
    assert.deepEqual(template.permissions, [search])
  },

  'API keys': async ({ api, as, assert }) => {
    const created = await succeed(
      api.POST('/v2/api-keys', { body: { name: 'typed', operations: ['view'] } })
    )
    assert.isTrue('key' in created.data)
    if (!('key' in created.data)) return
    const { api_key: described, key } = created.data
    assert.deepEqual([described.operations, described.enabled], [['view'], true])
    const refused = await refusalOf(as(key).POST('/v2/zones', { body: { name: 'no.test' } }))
    assert.equal(refused.status, 403)
    const params = { path: { id: described.id } }
    const disabled = await take(api.POST('/v2/api-keys/{id}/disable', { params }), 'api_key')
    assert.isFalse(disabled.enabled)
  },

  'Access': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const user = await newUser(scene)
    const query = {
      action: 'rrset.write' as const,
      zone_id: id,
      name: 'www',
      type: 'A',
      user_id: user,
    }
    const { data } = await succeed(api.GET('/v2/explain', { params: { query } }))
    assert.deepEqual([data.decision, data.user.id], ['deny', user])
    assert.isNotEmpty(data.reasons[0].message)
  },

  'Audit log': async (scene) => {
    const { api, assert } = scene
    const id = await newUser(scene)
    const entries = await take(
      api.GET('/v2/audit', { params: { query: { action: 'user.created', per_page: 20 } } }),
      'entries'
    )
    const entry = entries.find((one) => one.object?.id === id)!
    assert.deepEqual([entry.outcome, entry.actor.channel], ['success', 'api'])
    assert.isString(entry.actor.username)
  },
} satisfies Record<string, Scenario>
