import { idsOf } from '#tests/support/app/people/accounts'
import { isApiMode } from '#tests/support/app/backend'
import { unique } from '#tests/support/app/names'
import { check, section } from '#tests/support/conformance/check'

const FLAGS = [
  'user_is_ueberuser',
  'user_edit_templ_perm',
  'user_edit_others',
  'zone_meta_edit_own',
  'zone_meta_edit_others',
  'zone_dnssec_manage_own',
  'server_status_view',
  'supermaster_view',
  'zone_master_add',
  'zone_slave_add',
]

export const resources = section(
  'Resources',
  check('envelope', '', async ({ root, want, zone, assert }) => {
    const { path } = await zone()
    const { body } = await want(200, root('GET', `${path}/records?per_page=5`))
    assert.deepEqual(Object.keys(body).slice(0, 3), ['success', 'data', 'message'])
    assert.isTrue(body.success)
    assert.isString(body.message)
    assert.onlyProperties(body.pagination, ['current_page', 'per_page', 'total', 'last_page'])
    const { body: bare } = await want(200, root('GET', `${path}/records`))
    assert.notProperty(bare, 'pagination')
    const { body: wrong } = await want(404, root('GET', '/zones/2147483647'))
    assert.deepEqual([wrong.success, wrong.data], [false, null])
  }),
  check('zone', '', async ({ root, data, zone, secondary, assert }) => {
    const { id, name, path } = await zone({ type: 'MASTER', soa_edit_api: 'EPOCH' })
    const { zone: one } = await data(200, root('GET', path))
    assert.deepInclude(one, { id, canonical_id: id, name, type: 'MASTER', master: null })
    assert.notProperty(one, 'soa_edit_api')
    const replica = await secondary()
    const { zone: other } = await data(200, root('GET', replica.path))
    assert.deepInclude(other, { type: 'SLAVE', master: '192.0.2.53' })
    const { zones } = await data(200, root('GET', `/zones?name=${name}`))
    assert.lengthOf(zones, 1)
    assert.deepInclude(zones[0], { id, canonical_id: id, name, type: 'MASTER' })
    const part = await data(200, root('GET', `/zones?name=${name.slice(0, -1)}`))
    assert.deepEqual(part.zones, [])
  }),
  check('record', '', async ({ root, data, zone, record, assert }) => {
    const { path } = await zone()
    const mx = { priority: 10, ttl: 0 }
    const created = await record({ path }, '@', 'MX', 'mail.example.net', mx)
    assert.deepInclude(created, { type: 'MX', ttl: 0, priority: 10 })
    assert.equal(created.content.replace(/\.$/, ''), 'mail.example.net')
    const { record: one } = await data(200, root('GET', created.path))
    assert.deepInclude(one, { id: created.id, name: '@', type: 'MX', ttl: 0, priority: 10 })
    const srv = '5 5060 sip.example.net'
    const sip = await record({ path }, '_sip._tcp', 'SRV', srv, { priority: 20 })
    assert.deepInclude(sip, { content: srv, priority: 20 })
  }),
  check('rrset', '', async ({ root, data, zone, record, assert }) => {
    const { path } = await zone()
    for (const content of ['192.0.2.1', '192.0.2.2']) {
      await record({ path }, 'www', 'A', content, { ttl: 300 })
    }
    const { rrset } = await data(200, root('GET', `${path}/rrsets/www/A`))
    assert.deepInclude(rrset, { name: 'www', type: 'A', ttl: 300 })
    const contents = rrset.records.map(({ content }: { content: string }) => content)
    assert.sameMembers(contents, ['192.0.2.1', '192.0.2.2'])
  }),
  check('zone metadata', '', async ({ root, want, data, zone, assert }) => {
    const { path } = await zone()
    const kind = `${path}/metadata/SOA-EDIT-API`
    await want(200, root('PUT', kind, { values: ['EPOCH'] }))
    assert.deepEqual(await data(200, root('GET', kind)), {
      kind: 'SOA-EDIT-API',
      values: ['EPOCH'],
    })
  }),
  check('dnssec key', '', async ({ at, data, want, zone, assert }) => {
    const sendRequest = await at('full')
    const { path } = await zone()
    const keys = `${path}/dnssec/keys`
    const role = { algorithm: 'ecdsa256', bits: 256, active: true }
    const ksk = await data(201, sendRequest('POST', keys, { type: 'ksk', ...role }))
    assert.deepInclude(ksk, { type: 'csk', algorithm: 'ecdsa256', bits: 256, active: true })
    assert.deepInclude(ksk, { sep: true })
    assert.match(ksk.dnskey, /^257 3 13 /)
    assert.isNotEmpty(ksk.ds)
    const zsk = await data(201, sendRequest('POST', keys, { type: 'zsk', ...role, active: false }))
    assert.deepInclude(zsk, { type: 'csk', active: false, sep: false })
    await want(200, sendRequest('PATCH', `${keys}/${zsk.id}`, { active: true }))
    const pair: { type: string }[] = await data(200, sendRequest('GET', keys))
    assert.sameMembers(
      pair.map(({ type }) => type),
      ['ksk', 'zsk']
    )
    await want(200, sendRequest('PATCH', `${keys}/${zsk.id}`, { active: false }))
    const alone = await data(200, sendRequest('GET', `${keys}/${ksk.id}`))
    assert.equal(alone.type, 'csk')
  }),
  check('user', '', async ({ root, data, user, group, template, want, assert }) => {
    const team = await group()
    const { id: templ, name } = await template(idsOf('search'))
    const about = { fullname: 'Ann B', email: `${unique('ann')}@example.org`, description: 'text' }
    const created = await user({ ...about, perm_templ: templ, groups: [team.id] })
    const groups = [{ id: team.id, name: team.name }]
    const expected = {
      user_id: created.id,
      username: created.username,
      ...about,
      perm_templ: templ,
    }
    const { user: one } = await data(200, root('GET', created.path))
    assert.deepInclude(one, { ...expected, perm_templ_name: name, groups })
    const { users } = await data(200, root('GET', `/users?username=${created.username}`))
    assert.deepInclude(users[0], { ...expected, perm_templ_name: name, groups })
    assert.notProperty(one, 'password')
    await want(409, root('DELETE', `/permission-templates/${templ}`))
  }),
  check('group', '', async ({ root, data, want, group, user, zone, assert }) => {
    const team = await group()
    const [member, owned] = [await user(), await zone()]
    await want(201, root('POST', `${team.path}/members`, { user_id: member.id }))
    await want(201, root('POST', `${team.path}/zones`, { zone_id: owned.id }))
    const { groups } = await data(200, root('GET', `/groups?q=${team.name}`))
    const { id, name } = team
    const expected = { id, name, description: 'of a check', member_count: 1, zone_count: 1 }
    assert.deepInclude(groups[0], expected)
    assert.isString(groups[0].created_at)
    const { members } = await data(200, root('GET', `${team.path}/members`))
    assert.onlyProperties(members[0], ['user_id', 'username', 'fullname', 'email', 'joined_at'])
    const { zones } = await data(200, root('GET', `${team.path}/zones`))
    assert.deepInclude(zones[0], { zone_id: owned.id, zone_name: owned.name, zone_type: 'MASTER' })
    assert.isString(zones[0].created_at)
  }),
  check('permission template', '', async ({ root, data, template, assert }) => {
    const { id, name, path } = await template(idsOf('search'), 'group')
    const { template: one } = await data(200, root('GET', path))
    const expected = { id, name, description: 'made by a check', template_type: 'group' }
    assert.deepInclude(one, expected)
    const { permissions } = await data(200, root('GET', '/permissions'))
    const names = permissions.map((flag: { name: string }) => flag.name)
    assert.includeMembers(names, FLAGS)
    const [{ id: flag }] = permissions
    const { permission } = await data(200, root('GET', `/permissions/${flag}`))
    assert.containsSubset(permission, { id: flag, name: names[0] })
    assert.isNotEmpty(permission.description)
  }),
  check('zone template', '', async ({ root, data, want, zoneTemplate, zone, assert }) => {
    const { id, name, path } = await zoneTemplate()
    const body = { name: 'mx.[ZONE]', type: 'A', content: '192.0.2.9', ttl: 600, priority: 0 }
    const { id: record } = await data(201, root('POST', `${path}/records`, body))
    const { records } = await data(200, root('GET', `${path}/records`))
    const stored = records.find((one: { id: number }) => one.id === record)
    assert.deepInclude(stored, { ...body, id: record })
    await zone({ template: id })
    const { templates } = await data(200, root('GET', `/zone-templates?q=${name}`))
    assert.deepInclude(templates[0], { id, name, description: 'of a check', zones_linked: 1 })
    await want(400, root('POST', `${path}/records`, { ...body, content: 'no address' }))
  }),
  check('change request', '', async ({ root, data, zone, review, assert }) => {
    review()
    const { id, path } = await zone()
    const actions = [{ op: 'add', record: { name: 'a', type: 'A', content: '192.0.2.1' } }]
    const filed = await data(201, root('POST', `${path}/change-requests`, { actions }))
    const request = filed.change_request
    assert.deepInclude(request, { status: 'pending', zone_id: id })
    const one = await data(200, root('GET', `/change-requests/${request.id}`))
    assert.deepInclude(one.change_request, { id: request.id, status: 'pending', zone_id: id })
    assert.deepEqual(one.stale_actions, [])
  }),
  check('api key', '', async ({ root, admin, data, zone, assert }) => {
    const { id, name } = await zone()
    const body = { name: unique('key'), read_only: true, operations: ['view'], zones: [id] }
    const created = await data(201, root('POST', '/api-keys', body))
    const { api_key: key } = await data(200, root('GET', `/api-keys/${created.api_key.id}`))
    assert.deepInclude(key, {
      name: body.name,
      owner: { id: admin.id, username: admin.username },
      enabled: true,
      read_only: true,
      operations: ['view'],
      zones: [{ id, name }],
    })
    assert.isNotEmpty(created.key)
    assert.notInclude(JSON.stringify(key), created.key)
    assert.equal(typeof key.zones[0].id, 'number', isApiMode ? 'in API mode too' : '')
  })
)
