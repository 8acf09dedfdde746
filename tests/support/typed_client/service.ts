import { unique } from '#tests/support/app/names'
import { refusalOf, succeed, take } from '#tests/support/typed_client/client'
import { typedZone, type Scenario } from '#tests/support/typed_client/scene'

/** The name server, and the service operations. */
export const SERVICE_SCENARIOS = {
  'DNSSEC': async (scene) => {
    const { api, assert } = scene
    const { id } = await typedZone(scene)
    const params = { path: { id } }
    const before = await succeed(api.GET('/v2/zones/{id}/dnssec', { params }))
    assert.deepEqual([before.data.enabled, before.data.dnskey], [false, null])
    await succeed(api.POST('/v2/zones/{id}/dnssec', { params, body: { enabled: true } }))
    const { data: keys } = await succeed(api.GET('/v2/zones/{id}/dnssec/keys', { params }))
    assert.deepEqual(
      keys.map((key) => [key.type, key.algorithm, key.bits, key.active, key.sep]),
      [['csk', 'ecdsa256', 256, true, true]]
    )
    const added = await succeed(
      api.POST('/v2/zones/{id}/dnssec/keys', {
        params,
        body: { type: 'zsk', algorithm: 'ed25519', bits: 256 },
      })
    )
    assert.isTrue('dnskey' in added.data && !added.data.active)
  },

  'Name server': async ({ api, assert }) => {
    const { data } = await succeed(
      api.GET('/v2/server/status', { params: { query: { metrics: 'uptime' } } })
    )
    assert.isTrue(data.running)
    assert.isString(data.metrics.uptime)
    const body = { ip: '192.0.2.9', nameserver: `${unique('ns')}.test`, account: 'typed' }
    const created = await take(api.POST('/v2/autoprimaries', { body }), 'autoprimary')
    assert.deepEqual(created, body)
    const listed = await take(api.GET('/v2/autoprimaries'), 'autoprimaries')
    assert.isTrue(listed.some((one) => one.nameserver === body.nameserver))
  },

  'Events': async ({ api, assert }) => {
    const body = { name: unique('typed'), url: 'https://hooks.example/zones', enabled: false }
    const created = await take(api.POST('/v2/webhooks', { body }), 'webhook')
    assert.deepEqual([created.url, created.enabled, created.failures], [body.url, false, 0])
    const params = { path: { id: created.id } }
    const deliveries = await take(api.GET('/v2/webhooks/{id}/deliveries', { params }), 'deliveries')
    assert.deepEqual(deliveries, [])
    await succeed(api.DELETE('/v2/webhooks/{id}', { params }))
    const deleted = await refusalOf(api.GET('/v2/webhooks/{id}', { params }))
    assert.equal(deleted.status, 404)
  },

  'Jobs': async ({ api, assert }) => {
    const jobs = await take(api.GET('/v2/jobs'), 'jobs')
    assert.isNotEmpty(jobs)
    const [{ name }] = jobs
    const run = await take(
      api.POST('/v2/jobs/{job}/run', { params: { path: { job: name } } }),
      'run'
    )
    assert.deepEqual([run.job, run.cause], [name, 'manual'])
    const runs = await take(
      api.GET('/v2/jobs/{job}/runs', { params: { path: { job: name } } }),
      'runs'
    )
    assert.isTrue(runs.some(({ id }) => id === run.id))
  },
} satisfies Record<string, Scenario>
