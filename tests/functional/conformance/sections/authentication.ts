import { setActive } from '#tests/support/app/people/account_state'
import { basic } from '#tests/support/app/people/basic'
import { check, section } from '#tests/support/conformance/check'
import { defaultOf } from '#tests/support/conformance/settings'

const ONE = '/zones?per_page=1'

export const apiKeys = section(
  'API keys',
  check(1, '', async ({ root, as, data, want, assert }) => {
    const created = await data(201, root('POST', '/api-keys', { name: 'of a check' }))
    await want(200, as({ key: created.key })('GET', ONE))
    const shown = await want(200, root('GET', `/api-keys/${created.api_key.id}`))
    const listed = await want(200, root('GET', '/api-keys'))
    assert.notInclude(shown.text + listed.text, created.key)
    await want(400, root('POST', '/api-keys', {}))
  }),
  check(2, '', async ({ admin, as, want }) => {
    await want(200, as({ 'x-api-key': admin.key })('GET', ONE))
    await want(200, as({ authorization: `Bearer ${admin.key}` })('GET', ONE))
    await want(401, as({ authorization: admin.key })('GET', ONE))
  }),
  check(3, '', async ({ at, someone, data, want, assert }) => {
    assert.equal(defaultOf('api.max_keys_per_user'), 5)
    // Users have a key already. Administrators have as many as earlier checks created.
    const user = await at('full', await someone('api_manage_keys'))
    for (let count = 1; count < 5; count++) {
      await data(201, user('POST', '/api-keys', { name: `key ${count}` }))
    }
    const { status } = await user('POST', '/api-keys', { name: 'one too many' })
    assert.include([400, 403, 409], status)
    const root = await at('full', await someone('user_is_ueberuser'))
    for (let count = 1; count < 7; count++) {
      await want(201, root('POST', '/api-keys', { name: `key ${count}` }))
    }
  }),
  check(4, '', async ({ as, someone, zone, root, want }) => {
    const owner = await someone('zone_content_view_own')
    const [own, other] = [await zone({ owner_user_id: owner.id }), await zone()]
    await want(200, as(owner)('GET', own.path))
    await want(404, as(owner)('GET', other.path))
    await want(403, as(owner)('DELETE', own.path))
    await setActive(owner.username, false)
    await want(401, as(owner)('GET', own.path))
    const deleted = await someone('zone_content_view_own')
    await want(200, root('DELETE', `/users/${deleted.id}`))
    await want(401, as(deleted)('GET', ONE))
  }),
  check(5, '', async ({ root, data, want }) => {
    const { api_key: key } = await data(201, root('POST', '/api-keys', { name: 'of a check' }))
    for (const verb of ['regenerate', 'disable', 'enable']) {
      await want(200, root('POST', `/api-keys/${key.id}/${verb}`, {}))
    }
    await want(204, root('DELETE', `/api-keys/${key.id}`))
    await want(404, root('GET', `/api-keys/${key.id}`))
  })
)

export const httpBasic = section(
  'HTTP Basic',
  check(1, '', async ({ admin, as, at, want, assert }) => {
    const headers = { authorization: basic(admin.username, admin.password) }
    assert.isFalse(defaultOf('api.basic_auth_enabled'))
    await want(401, as(headers)('GET', ONE))
    await want(200, (await at('full', headers))('GET', ONE))
    const wrong = { authorization: basic(admin.username, 'wrong') }
    await want(401, (await at('full', wrong))('GET', ONE))
  }),
  check(2, '', async ({ at, someone, want }) => {
    const { username, password } = await someone('user_enforce_mfa', 'zone_content_view_own')
    const sendRequest = await at('full', { authorization: basic(username, password) })
    await want(200, sendRequest('GET', ONE))
  }),
  check(3, '', async ({ at, someone, want, as }) => {
    const user = await someone('zone_content_view_own')
    const signIn = async (password: string) =>
      (await at('full', { authorization: basic(user.username, password) }))('GET', ONE)
    for (let count = 0; count < 3; count++) await want(401, signIn('wrong'))
    await want(401, signIn(user.password))
    await want(200, as(user)('GET', ONE))
  })
)

export const headers = section(
  'Request headers',
  check('X-API-Key', '', async ({ admin, as, want }) => {
    await want(200, as({ 'X-API-Key': admin.key })('GET', ONE))
    await want(401, as({ 'X-API-Key': `${admin.key}0` })('GET', ONE))
  }),
  check('Authorization: Bearer', '', async ({ admin, as, want }) => {
    await want(200, as({ Authorization: `Bearer ${admin.key}` })('GET', ONE))
    await want(401, as({ Authorization: `Bearer ${admin.key}0` })('GET', ONE))
  }),
  check('Authorization: Basic', '', async ({ admin, at, want }) => {
    const { username, password } = admin
    const sendRequest = await at('full', { Authorization: basic(username, password) })
    await want(200, sendRequest('GET', ONE))
  }),
  check('Content-Type', '', async ({ root, as, admin, zone, data, want, assert }) => {
    const { path } = await zone()
    const json = (name: string) => JSON.stringify({ name, type: 'A', content: '192.0.2.1' })
    for (const [name, type] of [
      ['a', 'application/json'],
      ['b', 'text/plain;charset=UTF-8'],
      ['c', 'application/x-www-form-urlencoded'],
    ]) {
      const sent = { 'content-type': type }
      await want(201, root('POST', `${path}/records`, json(name), sent))
    }
    const form = new URLSearchParams({ name: 'd', type: 'A', content: '192.0.2.4', ttl: '60' })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const created = await data(201, root('POST', `${path}/records`, String(form), type))
    assert.deepInclude(created.record, { content: '192.0.2.4', ttl: 60 })
    await want(400, as(admin)('POST', `${path}/records`, '{"name":', type))
  }),
  check('Accept', '', async ({ admin, as, want, assert }) => {
    for (const accept of ['application/json', 'text/html', '*/*']) {
      for (const [status, path] of [
        [200, ONE],
        [404, '/zones/2147483647'],
        [404, '/nope'],
      ] as const) {
        const sendRequest = as({ 'x-api-key': admin.key, accept })
        const { header } = await want(status, sendRequest('GET', path))
        assert.match(header('content-type') ?? '', /^application\/json/)
      }
    }
  })
)
