import { zoneNamed } from '#tests/support/app/names'
import type { Scene } from '#tests/support/conformance/scene'
import { ADDRESS, pathOf, type Calls } from './call.js'

const KEY = { type: 'csk', algorithm: 'ecdsa256', bits: 256, active: true }
const ADD = { actions: [{ op: 'add', record: ADDRESS }] }
const IXFR = '/metadata/IXFR'

/** The key of RFC 8080, section 6.1, in BIND format. */
const ED25519 = [
  'Private-key-format: v1.2',
  'Algorithm: 15 (ED25519)',
  'PrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=',
  '',
].join('\n')

/** Creates a pending change request. */
async function request({ review, zone, data, root }: Scene): Promise<string> {
  review()
  const { path } = await zone()
  const filed = await data(201, root('POST', `${path}/change-requests`, ADD))
  return `/change-requests/${filed.change_request.id}`
}

/** Creates a zone with a key on the server with a real name server. Returns the path of the key and the caller. */
async function key({ at, signable, data }: Scene) {
  const sendRequest = await at('full')
  const { path } = await signable()
  const created = await data(201, sendRequest('POST', `${path}/dnssec/keys`, KEY))
  return { ask: sendRequest, zone: path, path: `${path}/dnssec/keys/${created.id}` }
}

/** Creates a zone with IXFR enabled. */
async function withMetadata({ zone, want, root }: Scene): Promise<string> {
  const { path } = await zone()
  await want(200, root('PUT', `${path}${IXFR}`, { values: ['1'] }))
  return path
}

/** Zones, their records and settings, and the name server. */
export const ZONE_CALLS = {
  'GET /zones': async () => [200, 'zones', '/zones'],
  'POST /zones': async () => [201, 'zone_id', '/zones', { name: zoneNamed(), type: 'MASTER' }],
  'GET /zones/{id}': async ({ zone }) => [200, 'zone', await pathOf(zone())],
  'PUT /zones/{id}': async ({ zone }) => [200, 'zone', await pathOf(zone()), { type: 'NATIVE' }],
  'DELETE /zones/{id}': async ({ zone }) => [204, null, await pathOf(zone())],
  'GET /zones/{id}/owners': async ({ zone }) => [200, 'owners', await pathOf(zone(), '/owners')],
  'POST /zones/{id}/owners': async ({ zone, user }) => {
    const { id } = await user()
    return [201, 'added', await pathOf(zone(), '/owners'), { user_ids: [id] }]
  },
  'DELETE /zones/{id}/owners/{user_id}': async ({ zone, user, root, want }) => {
    const [{ path }, { id }] = [await zone(), await user()]
    await want(201, root('POST', `${path}/owners`, { user_id: id }))
    return [200, null, `${path}/owners/${id}`]
  },
  'GET /zones/{id}/metadata': async ({ zone }) => [
    200,
    'metadata',
    await pathOf(zone(), '/metadata'),
  ],
  'GET /zones/{id}/metadata/{kind}': async (scene) => [
    200,
    'values',
    `${await withMetadata(scene)}${IXFR}`,
  ],
  'PUT /zones/{id}/metadata/{kind}': async ({ zone }) => [
    200,
    null,
    await pathOf(zone(), IXFR),
    { values: ['1'] },
  ],
  'DELETE /zones/{id}/metadata/{kind}': async (scene) => [
    200,
    null,
    `${await withMetadata(scene)}${IXFR}`,
  ],
  'GET /zones/{id}/dnssec': async (scene) => {
    const { ask: sendRequest, zone } = await key(scene)
    return [200, 'enabled', `${zone}/dnssec`, undefined, sendRequest]
  },
  'POST /zones/{id}/dnssec': async ({ signable, at: server }) => {
    const sendRequest = await server('full')
    return [200, 'enabled', await pathOf(signable(), '/dnssec'), { enabled: true }, sendRequest]
  },
  'GET /zones/{id}/dnssec/keys': async (scene) => {
    const { ask: sendRequest, zone } = await key(scene)
    return [200, '0', `${zone}/dnssec/keys`, undefined, sendRequest]
  },
  'POST /zones/{id}/dnssec/keys': async ({ zone, at: server }) => {
    const sendRequest = await server('full')
    return [201, 'dnskey', await pathOf(zone(), '/dnssec/keys'), KEY, sendRequest]
  },
  'POST /zones/{id}/dnssec/keys/import': async ({ zone, at: server }) => {
    const sendRequest = await server('full')
    const body = { type: 'csk', privatekey: ED25519, active: true }
    return [201, 'dnskey', await pathOf(zone(), '/dnssec/keys/import'), body, sendRequest]
  },
  'GET /zones/{id}/dnssec/keys/{key_id}': async (scene) => {
    const { ask: sendRequest, path } = await key(scene)
    return [200, 'dnskey', path, undefined, sendRequest]
  },
  'PATCH /zones/{id}/dnssec/keys/{key_id}': async (scene) => {
    const { ask: sendRequest, path } = await key(scene)
    return [200, 'active', path, { active: false }, sendRequest]
  },
  'DELETE /zones/{id}/dnssec/keys/{key_id}': async (scene) => {
    const { ask: sendRequest, path } = await key(scene)
    return [200, null, path, undefined, sendRequest]
  },
  'POST /zones/{id}/dnssec/rectify': async (scene) => {
    const { ask: sendRequest, zone } = await key(scene)
    return [200, null, `${zone}/dnssec/rectify`, undefined, sendRequest]
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
    return [201, 'change_request', await pathOf(zone(), '/change-requests'), ADD]
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
  'GET /zones/{id}/records': async ({ zone }) => [200, 'records', await pathOf(zone(), '/records')],
  'POST /zones/{id}/records': async ({ zone }) => [
    201,
    'record',
    await pathOf(zone(), '/records'),
    ADDRESS,
  ],
  'GET /zones/{id}/records/{recordId}': async ({ zone, record }) => [
    200,
    'record',
    await pathOf(record(await zone(), 'a', 'A', '192.0.2.1')),
  ],
  'PUT /zones/{id}/records/{recordId}': async ({ zone, record }) => [
    200,
    'record',
    await pathOf(record(await zone(), 'a', 'A', '192.0.2.1')),
    { content: '192.0.2.2' },
  ],
  'DELETE /zones/{id}/records/{recordId}': async ({ zone, record }) => [
    204,
    null,
    await pathOf(record(await zone(), 'a', 'A', '192.0.2.1')),
  ],
  'POST /zones/{id}/records/bulk': async ({ zone }) => [
    200,
    'created',
    await pathOf(zone(), '/records/bulk'),
    { operations: [{ action: 'create', ...ADDRESS }] },
  ],
  'GET /zones/{id}/rrsets': async ({ zone }) => [200, 'rrsets', await pathOf(zone(), '/rrsets')],
  'GET /zones/{id}/rrsets/{name}/{type}': async ({ zone }) => [
    200,
    'rrset',
    await pathOf(zone(), '/rrsets/@/SOA'),
  ],
} satisfies Calls
