import { setActive } from '#tests/support/app/people/account_state'
import { keyFor } from '#tests/support/app/people/people'
import { check, section } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'

const KEY = { type: 'csk', algorithm: 'ecdsa256', bits: 256 }

/** Creates a pending request for an address record at `a`. */
async function filed({ review, zone, data, root }: Scene) {
  review()
  const { path } = await zone()
  const actions = [{ op: 'add', record: { name: 'a', type: 'A', content: '192.0.2.1' } }]
  const { change_request: request } = await data(
    201,
    root('POST', `${path}/change-requests`, { actions })
  )
  return { request, path: `/change-requests/${request.id}`, rrset: `${path}/rrsets/a/A` }
}

/** Creates a key of a zone on the server with a real name server. */
async function createdKey({ at, zone, data }: Scene, active?: boolean) {
  const sendRequest = await at('full')
  const { path } = await zone()
  const key = await data(201, sendRequest('POST', `${path}/dnssec/keys`, { ...KEY, active }))
  return { ask: sendRequest, key, path: `${path}/dnssec/keys/${key.id}` }
}

/** Creates an API key. Returns the response. */
async function apiKey({ root, data, as }: Scene) {
  const created = await data(201, root('POST', '/api-keys', { name: 'of a check' }))
  const status = async (key: string = created.key) => {
    const answer = await as({ key })('GET', '/zones?per_page=1')
    return answer.status
  }
  return { path: `/api-keys/${created.api_key.id}`, status }
}

export const states = section(
  'States',
  check('request filed', '', async (scene) => {
    const { request } = await filed(scene)
    scene.assert.equal(request.status, 'pending')
  }),
  check('request approved', '', async (scene) => {
    const { path, rrset } = await filed(scene)
    const { change_request: now } = await scene.data(200, scene.root('POST', `${path}/approve`, {}))
    scene.assert.equal(now.status, 'approved')
    await scene.want(200, scene.root('GET', rrset))
    await scene.want(409, scene.root('POST', `${path}/approve`, {}))
  }),
  check('request rejected', '', async (scene) => {
    const { path, rrset } = await filed(scene)
    const { change_request: now } = await scene.data(200, scene.root('POST', `${path}/reject`, {}))
    scene.assert.equal(now.status, 'rejected')
    await scene.want(404, scene.root('GET', rrset))
  }),
  check('request cancelled', '', async (scene) => {
    const { path, rrset } = await filed(scene)
    const other = scene.as(await scene.someone('user_is_ueberuser'))
    await scene.want(403, other('DELETE', path))
    const { change_request: now } = await scene.data(200, scene.root('DELETE', path))
    scene.assert.equal(now.status, 'cancelled')
    await scene.want(404, scene.root('GET', rrset))
  }),
  check('key made', '', async (scene) => {
    for (const [wanted, active] of [
      [undefined, false],
      [false, false],
      [true, true],
    ] as const) {
      const { key } = await createdKey(scene, wanted)
      scene.assert.equal(key.active, active)
    }
  }),
  check('key activated', '', async (scene) => {
    const { ask: sendRequest, path } = await createdKey(scene)
    const now = await scene.data(200, sendRequest('PATCH', path, { active: true }))
    scene.assert.isTrue(now.active)
  }),
  check('key deactivated', '', async (scene) => {
    const { ask: sendRequest, path } = await createdKey(scene, true)
    const now = await scene.data(200, sendRequest('PATCH', path, { active: false }))
    scene.assert.isFalse(now.active)
  }),
  check('key deleted', '', async (scene) => {
    for (const active of [false, true]) {
      const { ask: sendRequest, path } = await createdKey(scene, active)
      await scene.want(200, sendRequest('DELETE', path))
      await scene.want(404, sendRequest('GET', path))
    }
  }),
  check('zone signed and unsigned', '', async ({ at, signable, data, assert }) => {
    const sendRequest = await at('full')
    const { path } = await signable()
    for (const enabled of [true, false]) {
      const now = await data(200, sendRequest('POST', `${path}/dnssec`, { enabled }))
      assert.equal(now.enabled, enabled)
      const stored = await data(200, sendRequest('GET', `${path}/dnssec`))
      assert.equal(stored.enabled, enabled)
    }
  }),
  check('api key disabled and enabled', '', async (scene) => {
    const { path, status } = await apiKey(scene)
    await scene.want(200, scene.root('POST', `${path}/disable`, {}))
    scene.assert.equal(await status(), 401)
    await scene.want(200, scene.root('POST', `${path}/enable`, {}))
    scene.assert.equal(await status(), 200)
  }),
  check('api key regenerated', '', async (scene) => {
    const { path, status } = await apiKey(scene)
    await scene.want(200, scene.root('POST', `${path}/disable`, {}))
    const again = await scene.data(200, scene.root('POST', `${path}/regenerate`, {}))
    scene.assert.isFalse(again.api_key.enabled)
    await scene.want(200, scene.root('POST', `${path}/enable`, {}))
    scene.assert.deepEqual([await status(), await status(again.key)], [401, 200])
  }),
  check('api key deleted', '', async (scene) => {
    const { path, status } = await apiKey(scene)
    await scene.want(204, scene.root('DELETE', path))
    scene.assert.equal(await status(), 401)
  }),
  check('owner gone', '', async (scene) => {
    const owner = await scene.someone('zone_content_view_own')
    const keys = [owner, await keyFor(owner)]
    const statuses = async () => {
      const answers = await Promise.all(keys.map((key) => scene.as(key)('GET', '/zones')))
      return answers.map(({ status }) => status)
    }
    scene.assert.deepEqual(await statuses(), [200, 200])
    await setActive(owner.username, false)
    scene.assert.deepEqual(await statuses(), [401, 401])
    await setActive(owner.username, true)
    scene.assert.deepEqual(await statuses(), [200, 200])
    await scene.want(200, scene.root('DELETE', `/users/${owner.id}`))
    scene.assert.deepEqual(await statuses(), [401, 401])
  })
)
