import { idsOf } from '#tests/support/app/people/accounts'
import { unique } from '#tests/support/app/names'
import { check, section } from '#tests/support/conformance/check'
import { withoutTemplates } from '#tests/support/conformance/least_template'
import type { Scene } from '#tests/support/conformance/scene'

/** The seeded template with administrator rights. */
const ADMINISTRATOR = 1
const CREATOR = ['user_add_new', 'user_view_others'] as const

const account = (overrides: object = {}) => ({
  username: unique('conform'),
  password: 'Secret-123-of-tests',
  ...overrides,
})

/** Returns true if a user has this name. */
async function isThere({ root, data }: Scene, username: string): Promise<boolean> {
  const { users } = await data(200, root('GET', `/users?username=${username}`))
  return users.length > 0
}

/** Asserts that the request fails and creates no user. */
async function refused(
  scene: Scene,
  sendRequest: Scene['root'],
  status: number,
  overrides: object
) {
  const body = account(overrides)
  await scene.want(status, sendRequest('POST', '/users', body))
  scene.assert.isFalse(await isThere(scene, body.username))
}

export const templates = section(
  'Users, perm_templ',
  check(1, '', async ({ user, template, root, want }) => {
    const [all, none] = [await template(idsOf('user_is_ueberuser')), await template()]
    const created = await user({ perm_templ: all.id })
    await want(200, root('PUT', created.path, { perm_templ: none.id }))
    await want(200, root('PUT', created.path, { perm_templ: ADMINISTRATOR }))
  }),
  check(2, 'when users are made and changed', async (scene) => {
    const { someone, as, user, template, want } = scene
    const who = await someone(...CREATOR, 'user_edit_others', 'user_edit_templ_perm', 'search')
    const sendRequest = as(who)
    const [searching, none] = [await template(idsOf('search')), await template()]
    const created = await user({ perm_templ: searching.id }, sendRequest)
    await want(200, sendRequest('PUT', created.path, { perm_templ: none.id }))
    await want(403, sendRequest('PUT', created.path, { perm_templ: ADMINISTRATOR }))
    await refused(scene, sendRequest, 403, { perm_templ: ADMINISTRATOR })
  }),
  check(2, 'the own template takes user_edit_others as well', async (scene) => {
    const { someone, as, template, want } = scene
    const { id } = await template()
    const own = ['user_edit_own', 'user_edit_templ_perm'] as const
    const without = await someone(...own)
    await want(403, as(without)('PUT', `/users/${without.id}`, { perm_templ: id }))
    const both = await someone(...own, 'user_edit_others')
    await want(200, as(both)('PUT', `/users/${both.id}`, { perm_templ: id }))
  }),
  check(3, '', async (scene) => {
    const { someone, as, user, template, want } = scene
    const sendRequest = as(await someone(...CREATOR, 'user_edit_others'))
    // In the other order, the user might get this template by default.
    const [{ path }, { id }] = [await user(), await template()]
    await refused(scene, sendRequest, 403, { perm_templ: id })
    await want(403, sendRequest('PUT', path, { perm_templ: id }))
  }),
  check(4, '', async ({ someone, as, root, user, data, assert }) => {
    const creators = [root, as(await someone(...CREATOR))]
    for (const sendRequest of creators) {
      const { path } = await user({}, sendRequest)
      const { user: created } = await data(200, root('GET', path))
      assert.isFalse(created.is_admin)
      assert.deepEqual(created.permissions, [])
    }
  }),
  check(4, 'without such a template nobody is made', async (scene) => {
    const { root, data, assert } = scene
    const { templates: all } = await data(200, root('GET', '/permission-templates?type=user'))
    await withoutTemplates(async () => {
      const body = account()
      const answer = await root('POST', '/users', body)
      assert.isAtLeast(answer.status, 400, answer.text)
      assert.isBelow(answer.status, 500, answer.text)
      assert.isFalse(await isThere(scene, body.username))
    })
    const { templates: again } = await data(200, root('GET', '/permission-templates?type=user'))
    assert.deepEqual(again, all)
  })
)

export const memberships = section(
  'Users, groups',
  check(1, '', async (scene) => {
    const { user, group, someone, as, assert } = scene
    const [one, two] = [await group(), await group()]
    const created = await user({ groups: [one.id, two.name] })
    assert.lengthOf(created.groups, 2)
    const sendRequest = as(await someone(...CREATOR))
    await refused(scene, sendRequest, 403, { groups: [one.id] })
    await refused(scene, sendRequest, 403, { groups: [] })
  }),
  check(2, '', async (scene) => {
    const { root, data, template } = scene
    const { id: templ } = await template([], 'group')
    const name = unique('Équipe')
    await data(201, root('POST', '/groups', { name, perm_templ_id: templ }))
    await scene.user({ groups: [name] })
    await refused(scene, root, 400, { groups: [name.toLowerCase()] })
    await refused(scene, root, 400, { groups: [name.replace('É', 'E')] })
  }),
  check(3, '', async (scene) => {
    const { id } = await scene.group()
    await refused(scene, scene.root, 400, { groups: [String(id)] })
  }),
  check(4, '', async (scene) => {
    const { id } = await scene.group()
    for (const other of [2_147_483_647, unique('nobody'), 1.5, true, null]) {
      await refused(scene, scene.root, 400, { groups: [id, other] })
    }
  }),
  check(5, '', async ({ user, group, root, data, assert }) => {
    const { id, name } = await group()
    const created = await user({ groups: [id, name, id] })
    assert.deepEqual(created.groups, [{ id, name }])
    const { user: stored } = await data(200, root('GET', created.path))
    assert.deepEqual(stored.groups, [{ id, name }])
  }),
  check(6, '', async (scene) => {
    const { id } = await scene.group()
    await scene.user({ groups: Array(50).fill(id) })
    await refused(scene, scene.root, 400, { groups: Array(51).fill(id) })
  }),
  check(7, '', async ({ group, root, data, assert }) => {
    const { id, name } = await group()
    const created = await data(201, root('POST', '/users', account({ groups: [name] })))
    assert.isTrue(Number.isInteger(created.user_id))
    assert.deepEqual(created.groups, [{ id, name }])
  }),
  check(8, '', async ({ user, group, root, want, data, assert }) => {
    const { id, name, path } = await group()
    const created = await user()
    const groups = async () => {
      const { user: stored } = await data(200, root('GET', created.path))
      return stored.groups
    }
    await want(200, root('PUT', created.path, { description: 'x', groups: [id] }))
    assert.deepEqual(await groups(), [])
    await want(201, root('POST', `${path}/members`, { user_id: created.id }))
    assert.deepEqual(await groups(), [{ id, name }])
    await want(200, root('DELETE', `${path}/members/${created.id}`))
    assert.deepEqual(await groups(), [])
  })
)
