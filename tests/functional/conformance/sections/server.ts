import { keyFor } from '#tests/support/app/people/people'
import { check, section } from '#tests/support/conformance/check'

const PATH = '/server/status'

export const serverStatus = section(
  'Server status',
  check('permission', '', async ({ at, someone, want }) => {
    const viewer = await at('full', await someone('server_status_view'))
    await want(200, viewer('GET', PATH))
    const other = await at('full', await someone('zone_content_view_others'))
    await want(403, other('GET', PATH))
    await want(200, (await at('full'))('GET', PATH))
  }),
  check('keys', '', async ({ at, admin, zone, want }) => {
    const readOnly = await at('full', await keyFor(admin, { readOnly: true }))
    await want(200, readOnly('GET', PATH))
    const zoned = await at('full', await keyFor(admin, { zones: [await zone()] }))
    await want(403, zoned('GET', PATH))
  }),
  check('metrics', '', async ({ at, data, assert }) => {
    const sendRequest = await at('full')
    const { metrics } = await data(200, sendRequest('GET', `${PATH}?metrics=uptime,udp-queries`))
    assert.sameMembers(Object.keys(metrics), ['uptime', 'udp-queries'])
  }),
  check('include', '', async ({ at, someone, data, want, assert }) => {
    const root = await at('full')
    const probed = await data(200, root('GET', `${PATH}?include=slaves`))
    assert.isArray(probed.slaves)
    assert.notProperty(await data(200, root('GET', PATH)), 'slaves')
    const viewer = await at('full', await someone('server_status_view'))
    await want(403, viewer('GET', `${PATH}?include=slaves`))
    const both = await at('full', await someone('server_status_view', 'supermaster_view'))
    await want(200, both('GET', `${PATH}?include=slaves`))
  }),
  check('answer', '', async ({ at, data, assert }) => {
    const status = await data(200, (await at('full'))('GET', PATH))
    assert.isTrue(status.running)
    for (const member of ['server_id', 'daemon_type', 'version']) assert.isString(status[member])
    assert.isTrue(Number.isInteger(status.uptime_seconds))
    const values = Object.values(status.metrics)
    assert.isNotEmpty(values)
    assert.isTrue(values.every((value) => typeof value === 'string'))
  }),
  check('unconfigured', '', async ({ at, want }) => {
    await want(501, (await at('unconfigured'))('GET', PATH))
  }),
  check('unreachable', '', async ({ at, want }) => {
    await want(503, (await at('unreachable'))('GET', PATH))
  })
)

export const dynamicDns = section(
  'Dynamic DNS',
  check('update', '', async ({ as, someone, zone, root, data, assert }) => {
    const user = await someone('zone_content_view_own', 'zone_content_edit_own')
    const { name, path } = await zone({ owner_user_id: user.id })
    const body = { hostname: `home.${name}`, ipv4: '198.51.100.1', ipv6: '2001:db8::1' }
    const result = await data(200, as(user)('POST', '/dynamic-dns', body))
    assert.deepInclude(result, { applied_ipv4: ['198.51.100.1'], applied_ipv6: ['2001:db8::1'] })
    const { rrset } = await data(200, root('GET', `${path}/rrsets/home/AAAA`))
    assert.equal(rrset.records[0].content, '2001:db8::1')
  }),
  check('operations', '', async ({ as, someone, zone, want }) => {
    const user = await someone('zone_content_view_own', 'zone_content_edit_own')
    const { name } = await zone({ owner_user_id: user.id })
    const hostname = `home.${name}`
    const update = async (operations: ('create' | 'update' | 'delete')[], members: object) =>
      as(await keyFor(user, { operations }))('POST', '/dynamic-dns', { hostname, ...members })
    const both = { ipv4: '198.51.100.1', ipv6: '2001:db8::1' }
    await want(403, update(['create'], both))
    await want(403, update(['update'], both))
    await want(200, update(['create', 'update'], both))
    const shrinking = { ipv4: '198.51.100.1', dualstack: true }
    await want(403, update(['create', 'update'], shrinking))
    await want(200, update(['create', 'update', 'delete'], shrinking))
  })
)

const ADD = { actions: [{ op: 'add', record: { name: 'a', type: 'A', content: '192.0.2.1' } }] }

export const changeRequests = section(
  'Change requests',
  check('off', '', async ({ root, zone, want }) => {
    const { path } = await zone()
    await want(404, root('POST', `${path}/change-requests`, ADD))
    await want(404, root('GET', '/change-requests'))
    for (const [method, tail] of [
      ['GET', ''],
      ['POST', '/approve'],
      ['POST', '/reject'],
      ['DELETE', ''],
    ]) {
      await want(404, root(method, `/change-requests/1${tail}`, method === 'POST' ? {} : undefined))
    }
  }),
  check('scope', '', async (scene) => {
    const { someone, zone, review, data, as, assert } = scene
    review()
    const asking = ['zone_content_view_own', 'zone_change_request_own'] as const
    const editing = ['zone_content_edit_own', 'zone_change_approve_own'] as const
    const [requester, reviewer] = [await someone(...asking), await someone(...asking, ...editing)]
    const mine = await zone({ owner_user_id: requester.id })
    const both = await zone({ owner_user_id: requester.id })
    const owners = { user_ids: [reviewer.id] }
    await scene.want(201, scene.root('POST', `${both.path}/owners`, owners))
    const file = async (who: { key: string }, { path }: { path: string }) => {
      const filed = await data(201, as(who)('POST', `${path}/change-requests`, ADD))
      return filed.change_request.id
    }
    const [first, second] = [await file(requester, mine), await file(requester, both)]
    const seen = async (who: { key: string }) => {
      const { change_requests: list } = await data(200, as(who)('GET', '/change-requests'))
      return list.map(({ id }: { id: number }) => id)
    }
    assert.deepEqual(await seen(requester), [second, first])
    assert.deepEqual(await seen(reviewer), [second])
    assert.deepEqual(await seen(await someone(...asking)), [])
  }),
  check('routed', '', async ({ someone, zone, record, review, as, want }) => {
    const user = await someone('zone_content_view_own', 'zone_change_request_own')
    const created = await zone({ owner_user_id: user.id })
    const { path } = await record(created, 'www', 'A', '192.0.2.1')
    review()
    const body = { name: 'a', type: 'A', content: '192.0.2.2' }
    const operations = [{ action: 'create', ...body }]
    const set = { name: 'www', type: 'A', records: [{ content: '192.0.2.3' }] }
    for (const [method, url, sent] of [
      ['POST', `${created.path}/records`, body],
      ['PUT', path, { ttl: 60 }],
      ['DELETE', path],
      ['POST', `${created.path}/records/bulk`, { operations }],
      ['PUT', `${created.path}/rrsets`, set],
    ] as [string, string, object?][]) {
      await want(403, as(user)(method, url, sent), /change request/)
    }
  })
)
