import type { Ask } from '#tests/support/conformance/ask'
import { check, section } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'
import { keyFor } from '#tests/support/app/people/people'

const KEY = { type: 'csk', algorithm: 'ecdsa256', bits: 256 }

/** A key of an unsupported algorithm in BIND format: RSA/MD5 (RFC 6725). */
const RSAMD5 = 'Private-key-format: v1.2\nAlgorithm: 1 (RSAMD5)\nModulus: AQAB\n'

/** Requests that change keys, by the path of the zone. */
const keyChanges = (path: string, id: number): [string, string, object?][] => [
  ['POST', `${path}/dnssec/keys`, KEY],
  ['POST', `${path}/dnssec/keys/import`, { type: 'csk', privatekey: RSAMD5 }],
  ['PATCH', `${path}/dnssec/keys/${id}`, { active: true }],
  ['DELETE', `${path}/dnssec/keys/${id}`],
]

/** Creates a zone with a key on the server with a real name server. */
async function zoneWithKey({ at, zone, data }: Scene, input: Record<string, unknown> = {}) {
  const sendRequest: Ask = await at('full')
  const created = await zone(input)
  const key = await data(201, sendRequest('POST', `${created.path}/dnssec/keys`, KEY))
  return { ...created, ask: sendRequest, key }
}

export const dnssec = section(
  'Zone metadata and DNSSEC',
  check(1, 'keys are read with sight of the zone, and changed with the right to', async (scene) => {
    const viewer = await scene.someone('zone_content_view_own')
    const { path, key } = await zoneWithKey(scene, { owner_user_id: viewer.id })
    const asViewer = await scene.at('full', viewer)
    await scene.want(200, asViewer('GET', `${path}/dnssec/keys`))
    await scene.want(200, asViewer('GET', `${path}/dnssec/keys/${key.id}`))
    for (const [method, url, body] of keyChanges(path, key.id)) {
      await scene.want(403, asViewer(method, url, body))
    }
    const stranger = await scene.at('full', await scene.someone('search'))
    await scene.want(404, stranger('GET', `${path}/dnssec/keys`))
  }),
  check(1, 'the right without sight of the zone is 403', async (scene) => {
    const blind = await scene.someone('zone_dnssec_manage_own')
    const { path, key } = await zoneWithKey(scene, { owner_user_id: blind.id })
    const sendRequest = await scene.at('full', blind)
    for (const [method, url, body] of keyChanges(path, key.id)) {
      await scene.want(403, sendRequest(method, url, body))
    }
  }),
  check(1, 'both together are enough', async (scene) => {
    const user = await scene.someone('zone_content_view_own', 'zone_dnssec_manage_own')
    const { path, key } = await zoneWithKey(scene, { owner_user_id: user.id })
    const sendRequest = await scene.at('full', user)
    await scene.want(201, sendRequest('POST', `${path}/dnssec/keys`, KEY))
    await scene.want(200, sendRequest('PATCH', `${path}/dnssec/keys/${key.id}`, { active: true }))
    await scene.want(200, sendRequest('DELETE', `${path}/dnssec/keys/${key.id}`))
  }),
  check(2, '', async (scene) => {
    const { path, id, name } = await scene.signable()
    const at = async (...operations: ('create' | 'update')[]) =>
      scene.at('full', await keyFor(scene.admin, { operations, zones: [{ id, name }] }))
    const [create, update] = [await at('create'), await at('update')]
    await scene.want(403, update('POST', `${path}/dnssec/keys`, KEY))
    await scene.want(201, create('POST', `${path}/dnssec/keys`, { ...KEY, active: true }))
    await scene.want(403, create('POST', `${path}/dnssec/rectify`))
    await scene.want(200, update('POST', `${path}/dnssec/rectify`))
  }),
  check(3, '', async ({ at, secondary, zone, want }) => {
    const sendRequest = await at('full')
    const { path } = await secondary()
    await want(409, sendRequest('POST', `${path}/dnssec/rectify`))
    const unsigned = await zone()
    await want(409, sendRequest('POST', `${unsigned.path}/dnssec/rectify`))
  }),
  check(4, '', async (scene) => {
    const { path, key } = await zoneWithKey(scene)
    const sendRequest = await scene.at('unreachable')
    for (const [method, url, body] of [
      ['GET', `${path}/dnssec`],
      ['POST', `${path}/dnssec`, { enabled: true }],
      ['POST', `${path}/dnssec`, { enabled: false }],
      ['GET', `${path}/dnssec/keys`],
      ['GET', `${path}/dnssec/keys/${key.id}`],
      ['POST', `${path}/dnssec/keys`, KEY],
      ['PATCH', `${path}/dnssec/keys/${key.id}`, { active: true }],
      ['DELETE', `${path}/dnssec/keys/${key.id}`],
      ['POST', `${path}/dnssec/rectify`],
    ] as [string, string, object?][]) {
      const { body: answer } = await scene.want(502, sendRequest(method, url, body))
      scene.assert.isNull(answer.data)
    }
  }),
  check(5, '', async ({ at, zone, want }) => {
    const sendRequest = await at('full')
    const { path } = await zone()
    const body = { type: 'csk', privatekey: RSAMD5 }
    await want(400, sendRequest('POST', `${path}/dnssec/keys/import`, body), /ecdsa256.*ed25519/)
  })
)
