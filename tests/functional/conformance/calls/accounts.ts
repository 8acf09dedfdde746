import { unique } from '#tests/support/app/names'
import type { Scene } from '#tests/support/conformance/scene'
import { ADDRESS, pathOf, type Calls } from './call.js'

/** Creates a group with a member and a zone. */
async function filledGroup({ group, user, zone, want, root }: Scene) {
  const { path } = await group()
  const [member, owned] = [await user(), await zone()]
  await want(201, root('POST', `${path}/members`, { user_id: member.id }))
  await want(201, root('POST', `${path}/zones`, { zone_id: owned.id }))
  return { path, member, owned }
}

/** Creates a zone template with a record. */
async function filledTemplate({ zoneTemplate, data, root }: Scene) {
  const { path } = await zoneTemplate()
  const { id } = await data(201, root('POST', `${path}/records`, ADDRESS))
  return { path, record: `${path}/records/${id}` }
}

const account = () => ({ username: unique('conform'), password: 'Secret-123-of-tests' })
const about = () => ({ name: unique('conform'), description: 'changed', descr: 'changed' })

/** Users, groups, templates, and the health of the service. */
export const ACCOUNT_CALLS = {
  'GET /users': async () => [200, 'users', '/users?per_page=5'],
  'POST /users': async () => [201, 'user_id', '/users', account()],
  'GET /users/{id}': async ({ user }) => [200, 'user', await pathOf(user())],
  'PUT /users/{id}': async ({ user }) => [
    200,
    'user_id',
    await pathOf(user()),
    { fullname: 'Ann' },
  ],
  'DELETE /users/{id}': async ({ user }) => [200, 'zones_affected', await pathOf(user())],
  'GET /groups': async () => [200, 'groups', '/groups'],
  'POST /groups': async ({ template }) => {
    const { id } = await template([], 'group')
    return [201, 'group', '/groups', { ...about(), perm_templ_id: id }]
  },
  'GET /groups/{id}': async ({ group }) => [200, 'group', await pathOf(group())],
  'PUT /groups/{id}': async ({ group }) => [200, 'group', await pathOf(group()), about()],
  'DELETE /groups/{id}': async ({ group }) => [200, null, await pathOf(group())],
  'GET /groups/{id}/members': async ({ group }) => [
    200,
    'members',
    await pathOf(group(), '/members'),
  ],
  'POST /groups/{id}/members': async ({ group, user }) => {
    const { id } = await user()
    return [201, null, await pathOf(group(), '/members'), { user_id: id }]
  },
  'DELETE /groups/{id}/members/{user_id}': async (scene) => {
    const { path, member } = await filledGroup(scene)
    return [200, null, `${path}/members/${member.id}`]
  },
  'GET /groups/{id}/zones': async ({ group }) => [200, 'zones', await pathOf(group(), '/zones')],
  'POST /groups/{id}/zones': async ({ group, zone }) => {
    const { id } = await zone()
    return [201, null, await pathOf(group(), '/zones'), { zone_id: id }]
  },
  'DELETE /groups/{id}/zones/{zone_id}': async (scene) => {
    const { path, owned } = await filledGroup(scene)
    return [200, null, `${path}/zones/${owned.id}`]
  },
  'GET /permission-templates': async () => [200, 'templates', '/permission-templates'],
  'POST /permission-templates': async () => [
    201,
    'id',
    '/permission-templates',
    { ...about(), permissions: [] },
  ],
  'GET /permission-templates/{id}': async ({ template }) => [
    200,
    'template',
    await pathOf(template()),
  ],
  'PUT /permission-templates/{id}': async ({ template }) => [
    200,
    null,
    await pathOf(template()),
    about(),
  ],
  'DELETE /permission-templates/{id}': async ({ template }) => [
    200,
    null,
    await pathOf(template()),
  ],
  'GET /permissions': async () => [200, 'permissions', '/permissions'],
  'GET /permissions/{id}': async () => [200, 'permission', '/permissions/53'],
  'GET /zone-templates': async () => [200, 'templates', '/zone-templates'],
  'POST /zone-templates': async () => [201, 'id', '/zone-templates', about()],
  'GET /zone-templates/{id}': async ({ zoneTemplate }) => [
    200,
    'template',
    await pathOf(zoneTemplate()),
  ],
  'PUT /zone-templates/{id}': async ({ zoneTemplate }) => [
    200,
    null,
    await pathOf(zoneTemplate()),
    about(),
  ],
  'DELETE /zone-templates/{id}': async ({ zoneTemplate }) => [
    200,
    null,
    await pathOf(zoneTemplate()),
  ],
  'GET /zone-templates/{id}/records': async ({ zoneTemplate }) => [
    200,
    'records',
    await pathOf(zoneTemplate(), '/records'),
  ],
  'POST /zone-templates/{id}/records': async ({ zoneTemplate }) => [
    201,
    'id',
    await pathOf(zoneTemplate(), '/records'),
    ADDRESS,
  ],
  'PUT /zone-templates/{template_id}/records/{id}': async (scene) => {
    const { record } = await filledTemplate(scene)
    return [200, null, record, { ...ADDRESS, content: '192.0.2.2' }]
  },
  'DELETE /zone-templates/{template_id}/records/{id}': async (scene) => {
    const { record } = await filledTemplate(scene)
    return [200, null, record]
  },
  'GET /api/health': async () => [200, null, '/api/health'],
  'GET /ping': async () => [200, null, '//ping'],
} satisfies Calls
