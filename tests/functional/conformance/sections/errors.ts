import { isApiMode } from '#tests/support/app/backend'
import { unique } from '#tests/support/app/names'
import { keyFor } from '#tests/support/app/people/people'
import { check, checkIn, section } from '#tests/support/conformance/check'
import { defaultOf, valueOf } from '#tests/support/conformance/settings'

const ADDRESS = { name: 'a', type: 'A', content: '192.0.2.1' }

export const errors = section(
  'Errors',
  check(400, '', async ({ root, zone, zoneTemplate, want, assert, review }) => {
    const { path } = await zone()
    const template = await zoneTemplate()
    review()
    const account = { username: unique('refused'), password: 'Secret-123-of-tests' }
    for (const [method, url, body] of [
      ['POST', '/zones', { name: `${unique('z')}.test`, soa_edit_api: 'NOPE' }],
      ['POST', '/zones', { name: `${unique('z')}.test`, soa_edit_api: 7 }],
      ['POST', `${path}/records`, { ...ADDRESS, ttl: -1 }],
      ['POST', `${path}/records`, { ...ADDRESS, ttl: '0.5' }],
      ['GET', '/zones?name[]=a'],
      ['GET', '/zones?sort=nope'],
      ['GET', '/zones?sort=name,name'],
      ['GET', '/zones?sort=name:down'],
      ['GET', '/permission-templates?type=other'],
      ['GET', '/change-requests?status=other'],
      ['POST', '/users', { ...account, groups: [unique('nobody')] }],
      ['POST', '/users', { ...account, groups: Array(51).fill(1) }],
      ['POST', `${template.path}/records`, { ...ADDRESS, content: 'nonsense' }],
    ] as [string, string, object?][]) {
      const { body: answer } = await want(400, root(method, url, body))
      assert.deepEqual([answer.success, answer.data], [false, null])
      assert.isNotEmpty(answer.message)
    }
  }),
  check(401, '', async ({ as, someone, root, want }) => {
    await want(401, as()('GET', '/zones'))
    await want(401, as({ key: 'pwa_wrong' })('GET', '/zones'))
    const deleted = await someone('zone_content_view_own')
    await want(200, root('PUT', `/users/${deleted.id}`, { active: false }))
    await want(401, as(deleted)('GET', '/zones'))
  }),
  check(403, '', async (scene) => {
    const { root, as, at, want, zone, someone, narrowed, secondary } = scene
    const [own, other, replica] = [await zone(), await zone(), await secondary()]
    const editor = await someone('zone_content_view_others', 'zone_content_edit_others')
    const create = as(await someone('user_add_new'))
    const account = { username: unique('refused'), password: 'Secret-123-of-tests' }
    await want(403, as(editor)('DELETE', own.path))
    await want(403, (await narrowed({ readOnly: true }))('POST', `${own.path}/records`, ADDRESS))
    await want(403, (await narrowed({ operations: ['create'] }))('GET', own.path))
    await want(403, (await narrowed({ zones: [own] }))('GET', other.path))
    await want(403, root('POST', `${replica.path}/records`, ADDRESS))
    await want(403, create('POST', '/users', { ...account, perm_templ: 1 }))
    await want(403, create('POST', '/users', { ...account, groups: [1] }))
    await want(403, as(editor)('PUT', own.path, { type: 'NATIVE' }))
    const blind = await someone('zone_dnssec_manage_own')
    const { path } = await zone({ owner_user_id: blind.id })
    const key = { type: 'csk', algorithm: 'ecdsa256', bits: 256 }
    await want(403, (await at('full', blind))('POST', `${path}/dnssec/keys`, key))
    const zoned = await at('full', await keyFor(scene.admin, { zones: [own] }))
    await want(403, zoned('GET', '/server/status'))
    const asker = await someone('zone_content_view_others', 'zone_change_request_others')
    scene.review()
    await want(403, as(asker)('POST', `${own.path}/records`, ADDRESS))
  }),
  check(404, '', async ({ root, as, at, someone, zone, want }) => {
    const { path } = await zone()
    for (const missing of [
      '/zones/2147483647',
      `${path}/records/2147483647`,
      `${path}/rrsets/nope/A`,
      `${path}/metadata/IXFR`,
      '/users/2147483647',
      '/groups/2147483647',
      '/permission-templates/2147483647',
      '/permissions/2147483647',
      '/zone-templates/2147483647',
      '/change-requests',
    ]) {
      await want(404, root('GET', missing))
    }
    await want(404, as(await someone('zone_content_view_own'))('GET', path))
    await want(404, (await at('unready', {}))('GET', '/api/health'))
  }),
  check(409, 'ids are unique here, so that owners are only refused twice', async (scene) => {
    const { path } = await scene.zone()
    const { id } = await scene.user()
    await scene.want(201, scene.root('POST', `${path}/owners`, { user_id: id }))
    await scene.want(409, scene.root('POST', `${path}/owners`, { user_id: id }))
    const { zones } = await scene.data(200, scene.root('GET', '/zones?per_page=10000'))
    const ids = new Set(zones.map((one: { id: number }) => one.id))
    scene.assert.equal(ids.size, zones.length)
  }),
  check(410, '', async ({ root, want }) => {
    await want(410, root('GET', '/api/v1/zones'))
  }),
  check(501, '', async ({ at, want }) => {
    await want(501, (await at('unconfigured'))('GET', '/server/status'))
  }),
  check(502, '', async ({ at, zone, want }) => {
    const { path } = await zone()
    await want(502, (await at('unreachable'))('GET', `${path}/dnssec`))
    await want(502, (await at('unreachable'))('POST', `${path}/dnssec/rectify`))
  }),
  checkIn('api', 502, 'a zone cannot be read then, and is never told as empty', async (scene) => {
    const { path } = await scene.zone()
    const sendRequest = await scene.at('unreachable')
    await scene.want(502, sendRequest('GET', `${path}/records`))
    await scene.want(502, sendRequest('POST', `${path}/records`, ADDRESS))
  }),
  check(503, '', async ({ at, want }) => {
    await want(503, (await at('unreachable'))('GET', '/server/status'))
    await want(503, (await at('unreachable', {}))('GET', '/api/health'))
  })
)

export const limits = section(
  'Limits',
  check('keys', '', async ({ assert }) => {
    assert.equal(defaultOf('api.max_keys_per_user'), 5)
  }),
  check('groups', '', async ({ root, group, want }) => {
    const { id } = await group()
    const body = { username: unique('many'), password: 'Secret-123-of-tests' }
    await want(400, root('POST', '/users', { ...body, groups: Array(51).fill(id) }), /50/)
    await want(201, root('POST', '/users', { ...body, groups: Array(50).fill(id) }))
  }),
  check('per_page', '', async ({ root, want, assert }) => {
    const { body } = await want(200, root('GET', '/permissions?per_page=10001'))
    assert.equal(body.pagination.per_page, 10_000)
  }),
  check('sort', '', async ({ root, zone, want }) => {
    const { path } = await zone()
    const five = 'name,type,content,ttl,priority'
    await want(200, root('GET', `${path}/records?sort=${five}`))
    await want(400, root('GET', `${path}/records?sort=${five},name`))
  }),
  check('change requests', 'the page that is cut off says so', async (scene) => {
    scene.review()
    const { body } = await scene.want(200, scene.root('GET', '/change-requests?status=all'))
    scene.assert.isAtMost(body.data.change_requests.length, 10_000)
    scene.assert.equal('pagination' in body, body.data.change_requests.length === 10_000)
  }),
  check('db_timeout', '', async ({ assert }) => {
    assert.equal(defaultOf('health.db_timeout'), 2)
  }),
  check('pdns_timeout', '', async ({ assert }) => {
    assert.equal(defaultOf('health.pdns_timeout'), 2)
    assert.equal(valueOf('dns.backend'), isApiMode ? 'api' : 'sql')
  })
)
