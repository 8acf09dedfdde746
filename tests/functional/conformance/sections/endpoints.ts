import { unique, zoneNamed } from '#tests/support/app/names'
import type { Ask } from '#tests/support/conformance/ask'
import { check, section, type Check } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'
import type { Endpoint } from '../endpoints.js'

const ADDRESS = { name: 'a', type: 'A', content: '192.0.2.1' }
const KEY = { type: 'csk', algorithm: 'ecdsa256', bits: 256, active: true }
const ADD = { actions: [{ op: 'add', record: ADDRESS }] }
const IXFR = '/metadata/IXFR'

/** The status of the endpoint, the member of `data` that it answers with, its path here, and a body. */
type Call = [status: number, member: string | null, path: string, body?: object, ask?: Ask]

/** A pending change request. */
async function request({ review, zone, data, root }: Scene): Promise<string> {
  review()
  const { path } = await zone()
  const filed = await data(201, root('POST', `${path}/change-requests`, ADD))
  return `/change-requests/${filed.change_request.id}`
}

/** A zone with a key, on the server that makes keys; the path of the key, and who asks. */
async function key({ at, signable, data }: Scene) {
  const ask = await at('full')
  const { path } = await signable()
  const made = await data(201, ask('POST', `${path}/dnssec/keys`, KEY))
  return { ask, zone: path, path: `${path}/dnssec/keys/${made.id}` }
}

/** A zone with IXFR switched on. */
async function withMetadata({ zone, want, root }: Scene): Promise<string> {
  const { path } = await zone()
  await want(200, root('PUT', `${path}${IXFR}`, { values: ['1'] }))
  return path
}

/** A group with a member and a zone. */
async function filledGroup({ group, user, zone, want, root }: Scene) {
  const { path } = await group()
  const [member, owned] = [await user(), await zone()]
  await want(201, root('POST', `${path}/members`, { user_id: member.id }))
  await want(201, root('POST', `${path}/zones`, { zone_id: owned.id }))
  return { path, member, owned }
}

/** A zone template and one of its records. */
async function filledTemplate({ zoneTemplate, data, root }: Scene) {
  const { path } = await zoneTemplate()
  const { id } = await data(201, root('POST', `${path}/records`, ADDRESS))
  return { path, record: `${path}/records/${id}` }
}

const account = () => ({ username: unique('conform'), password: 'Secret-123-of-tests' })
const about = () => ({ name: unique('conform'), description: 'changed', descr: 'changed' })
const at = async (made: Promise<{ path: string }>, tail = '') => {
  const { path } = await made
  return path + tail
}

const CALLS: Record<Endpoint, (scene: Scene) => Promise<Call>> = {
  'GET /zones': async () => [200, 'zones', '/zones'],
  'POST /zones': async () => [201, 'zone_id', '/zones', { name: zoneNamed(), type: 'MASTER' }],
  'GET /zones/{id}': async ({ zone }) => [200, 'zone', await at(zone())],
  'PUT /zones/{id}': async ({ zone }) => [200, 'zone', await at(zone()), { type: 'NATIVE' }],
  'DELETE /zones/{id}': async ({ zone }) => [204, null, await at(zone())],
  'GET /zones/{id}/owners': async ({ zone }) => [200, 'owners', await at(zone(), '/owners')],
  'POST /zones/{id}/owners': async ({ zone, user }) => {
    const { id } = await user()
    return [201, 'added', await at(zone(), '/owners'), { user_ids: [id] }]
  },
  'DELETE /zones/{id}/owners/{user_id}': async ({ zone, user, root, want }) => {
    const [{ path }, { id }] = [await zone(), await user()]
    await want(201, root('POST', `${path}/owners`, { user_id: id }))
    return [200, null, `${path}/owners/${id}`]
  },
  'GET /zones/{id}/metadata': async ({ zone }) => [200, 'metadata', await at(zone(), '/metadata')],
  'GET /zones/{id}/metadata/{kind}': async (scene) => [
    200,
    'values',
    `${await withMetadata(scene)}${IXFR}`,
  ],
  'PUT /zones/{id}/metadata/{kind}': async ({ zone }) => [
    200,
    null,
    await at(zone(), IXFR),
    { values: ['1'] },
  ],
  'DELETE /zones/{id}/metadata/{kind}': async (scene) => [
    200,
    null,
    `${await withMetadata(scene)}${IXFR}`,
  ],
  'GET /zones/{id}/dnssec': async (scene) => {
    const { ask, zone } = await key(scene)
    return [200, 'enabled', `${zone}/dnssec`, undefined, ask]
  },
  'POST /zones/{id}/dnssec': async ({ signable, at: server }) => {
    const ask = await server('full')
    return [200, 'enabled', await at(signable(), '/dnssec'), { enabled: true }, ask]
  },
  'GET /zones/{id}/dnssec/keys': async (scene) => {
    const { ask, zone } = await key(scene)
    return [200, '0', `${zone}/dnssec/keys`, undefined, ask]
  },
  'POST /zones/{id}/dnssec/keys': async ({ zone, at: server }) => {
    const ask = await server('full')
    return [201, 'dnskey', await at(zone(), '/dnssec/keys'), KEY, ask]
  },
  'POST /zones/{id}/dnssec/keys/import': async ({ zone, at: server }) => {
    const ask = await server('full')
    const body = { type: 'csk', privatekey: ED25519, active: true }
    return [201, 'dnskey', await at(zone(), '/dnssec/keys/import'), body, ask]
  },
  'GET /zones/{id}/dnssec/keys/{key_id}': async (scene) => {
    const { ask, path } = await key(scene)
    return [200, 'dnskey', path, undefined, ask]
  },
  'PATCH /zones/{id}/dnssec/keys/{key_id}': async (scene) => {
    const { ask, path } = await key(scene)
    return [200, 'active', path, { active: false }, ask]
  },
  'DELETE /zones/{id}/dnssec/keys/{key_id}': async (scene) => {
    const { ask, path } = await key(scene)
    return [200, null, path, undefined, ask]
  },
  'POST /zones/{id}/dnssec/rectify': async (scene) => {
    const { ask, zone } = await key(scene)
    return [200, null, `${zone}/dnssec/rectify`, undefined, ask]
  },
  'GET /server/status': async (scene) => [
    200,
    'running',
    '/server/status',
    undefined,
    await scene.at('full'),
  ],
  'POST /dynamic-dns': async ({ zone }) => {
    const { name } = await zone()
    return [200, 'changed', '/dynamic-dns', { hostname: `home.${name}`, ipv4: '198.51.100.1' }]
  },
  'POST /zones/{id}/change-requests': async ({ zone, review }) => {
    review()
    return [201, 'change_request', await at(zone(), '/change-requests'), ADD]
  },
  'GET /change-requests': async ({ review }) => {
    review()
    return [200, 'change_requests', '/change-requests']
  },
  'GET /change-requests/{id}': async (scene) => [200, 'stale_actions', await request(scene)],
  'POST /change-requests/{id}/approve': async (scene) => [
    200,
    'change_request',
    `${await request(scene)}/approve`,
    {},
  ],
  'POST /change-requests/{id}/reject': async (scene) => [
    200,
    'change_request',
    `${await request(scene)}/reject`,
    {},
  ],
  'DELETE /change-requests/{id}': async (scene) => [200, 'change_request', await request(scene)],
  'GET /zones/{id}/records': async ({ zone }) => [200, 'records', await at(zone(), '/records')],
  'POST /zones/{id}/records': async ({ zone }) => [
    201,
    'record',
    await at(zone(), '/records'),
    ADDRESS,
  ],
  'GET /zones/{id}/records/{recordId}': async ({ zone, record }) => [
    200,
    'record',
    await at(record(await zone(), 'a', 'A', '192.0.2.1')),
  ],
  'PUT /zones/{id}/records/{recordId}': async ({ zone, record }) => [
    200,
    'record',
    await at(record(await zone(), 'a', 'A', '192.0.2.1')),
    { content: '192.0.2.2' },
  ],
  'DELETE /zones/{id}/records/{recordId}': async ({ zone, record }) => [
    204,
    null,
    await at(record(await zone(), 'a', 'A', '192.0.2.1')),
  ],
  'POST /zones/{id}/records/bulk': async ({ zone }) => [
    200,
    'created',
    await at(zone(), '/records/bulk'),
    { operations: [{ action: 'create', ...ADDRESS }] },
  ],
  'GET /zones/{id}/rrsets': async ({ zone }) => [200, 'rrsets', await at(zone(), '/rrsets')],
  'GET /zones/{id}/rrsets/{name}/{type}': async ({ zone }) => [
    200,
    'rrset',
    await at(zone(), '/rrsets/@/SOA'),
  ],
  'GET /users': async () => [200, 'users', '/users?per_page=5'],
  'POST /users': async () => [201, 'user_id', '/users', account()],
  'GET /users/{id}': async ({ user }) => [200, 'user', await at(user())],
  'PUT /users/{id}': async ({ user }) => [200, 'user_id', await at(user()), { fullname: 'Ann' }],
  'DELETE /users/{id}': async ({ user }) => [200, 'zones_affected', await at(user())],
  'GET /groups': async () => [200, 'groups', '/groups'],
  'POST /groups': async ({ template }) => {
    const { id } = await template([], 'group')
    return [201, 'group', '/groups', { ...about(), perm_templ_id: id }]
  },
  'GET /groups/{id}': async ({ group }) => [200, 'group', await at(group())],
  'PUT /groups/{id}': async ({ group }) => [200, 'group', await at(group()), about()],
  'DELETE /groups/{id}': async ({ group }) => [200, null, await at(group())],
  'GET /groups/{id}/members': async ({ group }) => [200, 'members', await at(group(), '/members')],
  'POST /groups/{id}/members': async ({ group, user }) => {
    const { id } = await user()
    return [201, null, await at(group(), '/members'), { user_id: id }]
  },
  'DELETE /groups/{id}/members/{user_id}': async (scene) => {
    const { path, member } = await filledGroup(scene)
    return [200, null, `${path}/members/${member.id}`]
  },
  'GET /groups/{id}/zones': async ({ group }) => [200, 'zones', await at(group(), '/zones')],
  'POST /groups/{id}/zones': async ({ group, zone }) => {
    const { id } = await zone()
    return [201, null, await at(group(), '/zones'), { zone_id: id }]
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
  'GET /permission-templates/{id}': async ({ template }) => [200, 'template', await at(template())],
  'PUT /permission-templates/{id}': async ({ template }) => [
    200,
    null,
    await at(template()),
    about(),
  ],
  'DELETE /permission-templates/{id}': async ({ template }) => [200, null, await at(template())],
  'GET /permissions': async () => [200, 'permissions', '/permissions'],
  'GET /permissions/{id}': async () => [200, 'permission', '/permissions/53'],
  'GET /zone-templates': async () => [200, 'templates', '/zone-templates'],
  'POST /zone-templates': async () => [201, 'id', '/zone-templates', about()],
  'GET /zone-templates/{id}': async ({ zoneTemplate }) => [
    200,
    'template',
    await at(zoneTemplate()),
  ],
  'PUT /zone-templates/{id}': async ({ zoneTemplate }) => [
    200,
    null,
    await at(zoneTemplate()),
    about(),
  ],
  'DELETE /zone-templates/{id}': async ({ zoneTemplate }) => [200, null, await at(zoneTemplate())],
  'GET /zone-templates/{id}/records': async ({ zoneTemplate }) => [
    200,
    'records',
    await at(zoneTemplate(), '/records'),
  ],
  'POST /zone-templates/{id}/records': async ({ zoneTemplate }) => [
    201,
    'id',
    await at(zoneTemplate(), '/records'),
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
}

/** BIND's text of the key of RFC 8080, 6.1. */
const ED25519 = [
  'Private-key-format: v1.2',
  'Algorithm: 15 (ED25519)',
  'PrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=',
  '',
].join('\n')

function endpoint([name, prepare]: [string, (scene: Scene) => Promise<Call>]): Check {
  return check(name, '', async (scene) => {
    const [status, member, path, body, ask = scene.root] = await prepare(scene)
    const [method] = name.split(' ')
    const { body: answer } = await scene.want(status, ask(method, path, body))
    if (member) {
      scene.assert.isTrue(answer.success)
      scene.assert.property(answer.data, member)
    }
  })
}

export const endpoints = section('Endpoints', ...Object.entries(CALLS).map(endpoint))
