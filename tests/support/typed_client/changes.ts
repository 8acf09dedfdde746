import { keyFor, person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { unique } from '#tests/support/app/names'
import { refusalOf, succeed, take } from '#tests/support/typed_client/client'
import { typedZone, type Scenario } from '#tests/support/typed_client/scene'

/** Change requests, history, trash, zone templates, and dynamic DNS. */
export const CHANGE_SCENARIOS = {
  'Change requests': async (scene) => {
    const { api, as, assert } = scene
    const zone = await typedZone(scene)
    const { key } = await owner(zone, ['zone_content_view_own', 'zone_change_request_own'])
    const path = { id: zone.id }
    const record = { name: 'api', type: 'A', content: '192.0.2.77', ttl: 3600 }
    const requester = as(key)
    const direct = await refusalOf(
      requester.POST('/v2/zones/{id}/records', { params: { path }, body: record })
    )
    assert.equal(direct.status, 403)
    const [filed] = await take(
      requester.POST('/v2/zones/{id}/change-requests', {
        params: { path },
        body: { actions: [{ op: 'add', record }], comment: 'ticket 12' },
      }),
      'change_requests'
    )
    assert.deepEqual([filed.status, filed.request_comment], ['pending', 'ticket 12'])
    const params = { path: { id: filed.id } }
    const detail = await succeed(api.GET('/v2/change-requests/{id}', { params }))
    assert.deepEqual(detail.data.stale_actions, [])
    assert.isFalse(detail.data.base_serial_mismatch)
    const approved = await take(
      api.POST('/v2/change-requests/{id}/approve', { params, body: { comment: 'ok' } }),
      'change_request'
    )
    assert.equal(approved.status, 'approved')
    const listed = await take(
      requester.GET('/v2/change-requests', {
        params: { query: { status: 'approved', zone_id: String(zone.id) } },
      }),
      'change_requests'
    )
    assert.deepEqual(
      listed.map((one) => one.reviewer?.id),
      [approved.reviewer?.id]
    )
  },

  'History': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const path = { id }
    const entries = await take(
      api.GET('/v2/zones/{id}/history', { params: { path, query: { include: 'changes' } } }),
      'entries'
    )
    const [newest] = entries
    assert.equal(newest.changes?.[0].after?.records.length, 2)
    const undone = await take(
      api.POST('/v2/zones/{id}/history/{entry}/undo', {
        params: { path: { id, entry: newest.entry } },
      }),
      'change'
    )
    assert.deepEqual(undone.zones[0].changes[0].operations, ['delete'])
    const difference = await succeed(
      api.GET('/v2/zones/{id}/diff', {
        params: { path, query: { from: String(newest.entry) } },
      })
    )
    assert.lengthOf(difference.data.changes, 1)
    const earlier = await take(
      api.GET('/v2/zones/{id}/at', { params: { path, query: { entry: newest.entry } } }),
      'rrsets'
    )
    assert.lengthOf(earlier, 3)
    const restored = await take(
      api.POST('/v2/zones/{id}/restore', { params: { path }, body: { entry: newest.entry } }),
      'change'
    )
    assert.deepEqual(restored.zones[0].changes[0].operations, ['create'])
  },

  'Trash': async (scene) => {
    const { api, assert } = scene
    const { id, name } = await typedZone(scene)
    await succeed(api.DELETE('/v2/zones/{id}', { params: { path: { id } } }))
    const zones = await take(
      api.GET('/v2/trash', { params: { query: { per_page: 10_000 } } }),
      'zones'
    )
    const trashed = zones.find((zone) => zone.zone_name === name)!
    assert.equal(trashed.zone_id, id)
    const restored = await take(
      api.POST('/v2/trash/{id}/restore', { params: { path: { id: trashed.id } } }),
      'zone_id'
    )
    assert.isNumber(restored)
  },

  'Zone templates': async (scene) => {
    const { api, assert } = scene
    const body = { name: unique('typed'), description: 'Two name servers', is_global: true }
    const id = await take(api.POST('/v2/zone-templates', { body }), 'id')
    await take(
      api.POST('/v2/zone-templates/{id}/records', {
        params: { path: { id } },
        body: { name: '[ZONE]', type: 'NS', content: 'ns1.example.net', ttl: 3600 },
      }),
      'id'
    )
    const name = `${unique('typed')}.test`
    const zone = await take(
      api.POST('/v2/zones', { body: { name, template: String(id) } }),
      'zone_id'
    )
    const drift = await take(
      api.GET('/v2/zone-templates/{id}/drift', { params: { path: { id } } }),
      'zones'
    )
    assert.deepEqual(
      drift.map((one) => [one.zone_id, one.state, one.differences]),
      [[zone, 'in_sync', []]]
    )
    const shown = await take(
      api.GET('/v2/zone-templates/{id}', { params: { path: { id } } }),
      'template'
    )
    assert.deepEqual(
      shown.records.map((record) => [record.name, record.type, record.ttl, record.priority]),
      [
        ['[ZONE]', 'SOA', 86400, 0],
        ['[ZONE]', 'NS', 3600, 0],
      ]
    )
  },

  'Dynamic DNS': async (scene) => {
    const { api, as, assert } = scene
    const zone = await typedZone(scene)
    const user = await person({ template: 'Editor' })
    const params = { path: { id: zone.id } }
    await succeed(api.POST('/v2/zones/{id}/owners', { params, body: { user_id: user.id } }))
    const hostname = `home.${zone.name}`
    const { key } = await keyFor(user)
    const device = as(key)
    const first = await succeed(
      device.POST('/v2/dynamic-dns', { body: { hostname, ipv4: '192.0.2.50' } })
    )
    assert.deepInclude(first.data, { hostname, changed: true, applied_ipv4: ['192.0.2.50'] })
    const created = await succeed(device.POST('/v2/dynamic-dns/tokens', { body: { hostname } }))
    assert.isTrue('secret' in created.data && created.data.recipes.length > 0)
    const clients = await take(
      device.GET('/v2/dynamic-dns/clients', { params: { query: { hostname } } }),
      'clients'
    )
    assert.deepEqual(
      clients.map((one) => [one.zone.id, one.ipv4]),
      [[zone.id, ['192.0.2.50']]]
    )
  },
} satisfies Record<string, Scenario>
