import { refusalOf, succeed, take } from '#tests/support/typed_client/client'
import { typedZone, type Scenario } from '#tests/support/typed_client/scene'

/** Zones, their records and zone files. */
export const ZONE_SCENARIOS = {
  'Zones': async (scene) => {
    const { api, assert } = scene
    const { id, name } = await typedZone(scene)
    const page = await succeed(
      api.GET('/v2/zones', { params: { query: { name, per_page: 1, sort: 'name:desc' } } })
    )
    assert.deepEqual(
      page.data.zones.map((zone) => [zone.id, zone.canonical_id, zone.name, zone.type]),
      [[id, id, name, 'MASTER']]
    )
    assert.equal(page.pagination?.total, 1)
    const params = { path: { id } }
    const changed = await take(
      api.PUT('/v2/zones/{id}', { params, body: { description: 'Shop' } }),
      'zone'
    )
    assert.equal(changed.description, 'Shop')
    const plan = await take(
      api.PUT('/v2/zones/{id}', {
        params: { ...params, query: { dry_run: true } },
        body: { type: 'MASTER' },
      }),
      'plan'
    )
    assert.deepEqual(
      plan.zones.map((zone) => zone.changes),
      [[]]
    )
    const refused = await refusalOf(
      api.POST('/v2/zones', { body: { name: `other-${name}`, type: 'PRODUCER' } })
    )
    assert.equal(refused.status, 400)
    assert.include(refused.message, 'MASTER, SLAVE, NATIVE')
    await succeed(api.DELETE('/v2/zones/{id}', { params }))
    const deleted = await refusalOf(api.GET('/v2/zones/{id}', { params }))
    assert.equal(deleted.status, 404)
  },

  'Records': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const body = { name: 'mail', type: 'MX', content: 'mx.example.net', priority: 10, ttl: 60 }
    const created = await take(
      api.POST('/v2/zones/{id}/records', { params: { path: { id } }, body }),
      'record'
    )
    assert.deepEqual(
      [created.name, created.priority, created.ttl, created.disabled, created.ptr_created],
      ['mail', 10, 60, false, false]
    )
    const path = { id, recordId: String(created.id) }
    const changed = await take(
      api.PUT('/v2/zones/{id}/records/{recordId}', { params: { path }, body: { priority: 20 } }),
      'record'
    )
    assert.equal(changed.priority, 20)
    const bulk = await succeed(
      api.POST('/v2/zones/{id}/records/bulk', {
        params: { path: { id } },
        body: {
          operations: [
            { action: 'delete', id: created.id },
            { action: 'create', name: 'a', type: 'A', content: '192.0.2.9' },
          ],
        },
      })
    )
    assert.isTrue('created' in bulk.data && bulk.data.created === 1 && bulk.data.deleted === 1)
    const list = await take(
      api.GET('/v2/zones/{id}/records', {
        params: { path: { id }, query: { type: 'A', q: '2.9' } },
      }),
      'records'
    )
    assert.deepEqual(
      list.map((record) => [record.content, record.auth]),
      [['192.0.2.9', true]]
    )
    const deleted = await refusalOf(
      api.GET('/v2/zones/{id}/records/{recordId}', { params: { path } })
    )
    assert.equal(deleted.status, 404)
  },

  'RRsets': async (scene) => {
    const { api, assert } = scene
    const { id, name } = await typedZone(scene)
    const path = { id, name: 'www', type: 'A' }
    const one = await take(
      api.GET('/v2/zones/{id}/rrsets/{name}/{type}', { params: { path } }),
      'rrset'
    )
    assert.deepEqual(
      one.records.map((record) => record.content),
      ['192.0.2.1', '192.0.2.2']
    )
    await succeed(api.DELETE('/v2/zones/{id}/rrsets/{name}/{type}', { params: { path } }))
    const all = await take(api.GET('/v2/zones/{id}/rrsets', { params: { path: { id } } }), 'rrsets')
    assert.deepEqual(
      all.map((rrset) => `${rrset.name} ${rrset.type}`),
      [`${name} NS`, `${name} SOA`]
    )
  },

  'Change sets': async (scene) => {
    const { api, assert } = scene
    const [one, other] = [await typedZone(scene), await typedZone(scene)]
    const actions = [one, other].map((zone) => ({
      op: 'set' as const,
      zone_id: zone.id,
      name: `api.${zone.name}`,
      type: 'A',
      records: [{ content: '192.0.2.8' }],
      expect: 'absent' as const,
    }))
    const plan = await take(api.POST('/v2/changes', { body: { actions, dry_run: true } }), 'plan')
    const body = { actions, plan_hash: plan.plan_hash }
    const change = await take(api.POST('/v2/changes', { body }), 'change')
    assert.deepEqual(
      change.zones.map((zone) => [zone.zone_id, zone.changes[0].operations]),
      [one, other].map((zone) => [zone.id, ['create']])
    )
    const again = await refusalOf(api.POST('/v2/changes', { body: { actions } }))
    assert.equal(again.status, 412)
  },

  'Owners': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const params = { path: { id } }
    const [self] = await take(api.GET('/v2/zones/{id}/owners', { params }), 'owners')
    const body = { user_ids: [self.user_id, 999_999] }
    const added = await succeed(api.POST('/v2/zones/{id}/owners', { params, body }))
    assert.deepEqual(added.data, { added: [], skipped: [self.user_id], not_found: [999_999] })
    const last = await refusalOf(
      api.DELETE('/v2/zones/{id}/owners/{userId}', {
        params: { path: { id, userId: self.user_id } },
      })
    )
    assert.include(last.message, 'last owner')
  },

  'Metadata': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const params = { path: { id, kind: 'ALSO-NOTIFY' } }
    const values = ['192.0.2.53']
    await succeed(api.PUT('/v2/zones/{id}/metadata/{kind}', { params, body: { values } }))
    const one = await succeed(api.GET('/v2/zones/{id}/metadata/{kind}', { params }))
    assert.deepEqual(one.data, { kind: 'ALSO-NOTIFY', values })
    const all = await take(
      api.GET('/v2/zones/{id}/metadata', { params: { path: { id } } }),
      'metadata'
    )
    assert.deepInclude(all, one.data)
    await succeed(api.DELETE('/v2/zones/{id}/metadata/{kind}', { params }))
  },

  'Zone files': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const path = { id }
    const file = await take(
      api.GET('/v2/zones/{id}/export', { params: { path, query: { format: 'json' } } }),
      'zone_file'
    )
    assert.match(file, /\bwww\S*\s+300\s+IN\s+A\s+192\.0\.2\.1\b/)
    const body = { zone_file: 'new 60 IN A 192.0.2.60\n', mode: 'merge' as const }
    const plan = await take(
      api.POST('/v2/zones/{id}/import', { params: { path, query: { dry_run: true } }, body }),
      'plan'
    )
    assert.lengthOf(plan.zones[0].changes, 1)
    const change = await take(
      api.POST('/v2/zones/{id}/import', {
        params: { path },
        body: { ...body, plan_hash: plan.plan_hash },
      }),
      'change'
    )
    assert.equal(change.zones[0].changes[0].name.split('.')[0], 'new')
  },

  'Search': async (scene) => {
    const { api, assert } = scene
    const { id, name } = await typedZone(scene)
    const results = await take(
      api.GET('/v2/search', { params: { query: { q: `www.${name}` } } }),
      'results'
    )
    assert.deepInclude(
      results.map((one) => [one.kind, one.zone_id, one.name, one.type]),
      ['record', id, `www.${name}`, 'A']
    )
  },
} satisfies Record<string, Scenario>
