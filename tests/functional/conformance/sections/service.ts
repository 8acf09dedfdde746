import { isApiMode, nameServerDatabase } from '#tests/support/app/backend'
import { basic } from '#tests/support/app/people/basic'
import { check, section } from '#tests/support/conformance/check'
import { serverOf } from '#tests/support/conformance/servers'
import { defaultOf, settingNames, valueOf } from '#tests/support/conformance/settings'

const SETTINGS = [
  'api.enabled',
  'api.max_keys_per_user',
  'api.basic_auth_enabled',
  'api.docs_enabled',
  'dns.ttl',
  'dns.ttl_reverse',
  'dns.soa_edit_api',
  'dns.soa_edit_api_options',
  'dns.backend',
  'approval.enabled',
  'interface.show_pdns_status',
  'health.enabled',
  'health.ping_enabled',
  'health.db_timeout',
  'health.pdns_timeout',
  'logging.type',
]

export const service = section(
  'Service',
  check(1, '', async ({ root, want, zone, review, assert }) => {
    const { path } = await zone()
    review()
    for (const [list, member] of [
      ['/zones', 'zones'],
      [`${path}/records`, 'records'],
      [`${path}/rrsets`, 'rrsets'],
      [`${path}/metadata`, 'metadata'],
      [`${path}/owners`, 'owners'],
      ['/users', 'users'],
      ['/groups', 'groups'],
      ['/permission-templates', 'templates'],
      ['/permissions', 'permissions'],
      ['/zone-templates', 'templates'],
      ['/change-requests', 'change_requests'],
    ]) {
      const { body } = await want(200, root('GET', list))
      assert.isArray(body.data[member], list)
    }
  }),
  check(2, 'what is written is in the database of the DNS server', async (scene) => {
    const zone = await scene.zone()
    await scene.record(zone, 'www', 'A', '192.0.2.7')
    const name = `www.${zone.name}`
    const row = await nameServerDatabase().from('records').where({ name, type: 'A' }).first()
    scene.assert.equal(row?.content, '192.0.2.7')
    scene.assert.equal(valueOf('dns.backend'), isApiMode ? 'api' : 'sql')
  }),
  check(
    3,
    'ids of records are numbers in both modes, and lead to the record as numbers and as texts',
    async (scene) => {
      const zone = await scene.zone()
      const { id, path } = await scene.record(zone, 'www', 'A', '192.0.2.7')
      scene.assert.isTrue(Number.isInteger(id))
      const { record } = await scene.data(200, scene.root('GET', path))
      scene.assert.deepInclude(record, { id, content: '192.0.2.7' })
    }
  ),
  check(4, '', async (scene) => {
    const user = await scene.someone('zone_content_view_own')
    const [own, other] = [await scene.zone({ owner_user_id: user.id }), await scene.zone()]
    const password = { authorization: basic(user.username, user.password) }
    for (const sendRequest of [await scene.at('full', user), await scene.at('full', password)]) {
      await scene.want(200, sendRequest('GET', own.path))
      await scene.want(404, sendRequest('GET', other.path))
      await scene.want(403, sendRequest('PUT', own.path, { description: 'x' }))
    }
  }),
  check(5, '', async ({ as, want }) => {
    await want(200, as()('GET', '/api/health'))
    await want(200, as()('GET', '//ping'))
    await want(404, as()('GET', '/ping'))
    await want(401, as()('GET', '/zones'))
  }),
  check(6, '', async ({ assert }) => {
    const keys = settingNames()
    assert.includeMembers(keys, SETTINGS)
    assert.isTrue(keys.some((key) => key.startsWith('security.account_lockout.')))
  }),
  check(7, '', async ({ as, want, assert }) => {
    const { url } = await serverOf('full')
    const page = await fetch(`${url}/api/docs`)
    assert.equal(page.status, 200)
    assert.include(page.headers.get('content-type') ?? '', 'text/html')
    await want(404, as()('GET', '/api/docs'))
    assert.isFalse(defaultOf('api.docs_enabled'))
  }),
  check(8, '', async (scene) => {
    const who = await scene.someone('zone_content_view_own', 'zone_content_edit_own')
    const zone = await scene.zone({ owner_user_id: who.id })
    const query = `hostname=home.${zone.name}&myip=198.51.100.7`
    const headers = {
      'authorization': basic(who.username, who.password),
      'user-agent': 'a router/1',
    }
    const answer = await scene.as(headers)('GET', `//dynamic_update.php?${query}`)
    scene.assert.equal(answer.text.trim(), 'good 198.51.100.7')
    const path = `${zone.path}/rrsets/home/A`
    const { rrset } = await scene.data(200, scene.root('GET', path))
    scene.assert.equal(rrset.records[0].content, '198.51.100.7')
  })
)
