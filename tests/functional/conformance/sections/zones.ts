import type { Ask } from '#tests/support/conformance/ask'
import { check, checkIn, section } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'

const POLICIES = ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE']
const KIND = 'metadata/SOA-EDIT-API'

/** Returns the serial policy of a zone; null without one. */
async function policyOf({ root }: Scene, path: string): Promise<string | null> {
  const answer = await root('GET', `${path}/${KIND}`)
  return answer.status === 404 ? null : answer.body.data.values[0]
}

export const zones = section(
  'Zones',
  check(
    1,
    'accepted policies are stored; OFF, and an empty one here, store none',
    async (scene) => {
      for (const policy of [...POLICIES, 'OFF', '']) {
        const { path } = await scene.zone({ soa_edit_api: policy })
        const wanted = POLICIES.includes(policy) ? policy : null
        scene.assert.equal(await policyOf(scene, path), wanted, policy)
      }
    }
  ),
  check(1, 'what is no policy is a 400, on a secondary too', async ({ root, want }) => {
    const name = 'refused.conform.test'
    for (const type of [{ type: 'MASTER' }, { type: 'SLAVE', master: '192.0.2.1' }]) {
      for (const policy of ['NOPE', 5, true, ['EPOCH']]) {
        const body = { name, ...type, soa_edit_api: policy }
        await want(400, root('POST', '/zones', body))
      }
    }
    await want(400, root('POST', '/zones', { name, soa_edit_api: 'NOPE' }), /SOA-EDIT-INCREASE/)
  }),
  check(1, 'omitted or empty, it is dns.soa_edit_api; OFF disables that', async (scene) => {
    const sendRequest = await scene.at('full')
    for (const [input, wanted] of [
      [{}, 'EPOCH'],
      [{ soa_edit_api: '' }, 'EPOCH'],
      [{ soa_edit_api: 'INCREASE' }, 'INCREASE'],
      [{ soa_edit_api: 'OFF' }, null],
    ] as const) {
      const { path } = await scene.zone(input, sendRequest)
      scene.assert.equal(await policyOf(scene, path), wanted, JSON.stringify(input))
    }
  }),
  check(1, 'dns.soa_edit_api_options narrows what is accepted', async ({ at, want }) => {
    const sendRequest = await at('full')
    const body = { name: 'narrowed.conform.test', soa_edit_api: 'DEFAULT' }
    await want(400, sendRequest('POST', '/zones', body), /EPOCH.*INCREASE.*OFF/)
  }),
  check(1, 'on a secondary it is never applied', async (scene) => {
    const replica = { type: 'SLAVE', master: '192.0.2.1', soa_edit_api: 'EPOCH' }
    const { path } = await scene.zone(replica)
    scene.assert.isNull(await policyOf(scene, path))
  }),
  check(1, 'an existing zone gets it by its metadata, and not by PUT', async (scene) => {
    const { path } = await scene.zone()
    const body = { description: 'x', soa_edit_api: 'EPOCH' }
    await scene.want(200, scene.root('PUT', path, body))
    scene.assert.isNull(await policyOf(scene, path))
    await scene.want(200, scene.root('PUT', `${path}/${KIND}`, { values: ['INCREASE'] }))
    scene.assert.equal(await policyOf(scene, path), 'INCREASE')
  }),
  check(2, 'without that right a change is 403, and the stored value is none', async (scene) => {
    const user = await scene.someone('zone_content_view_own', 'zone_content_edit_own')
    const sendRequest = scene.as(user)
    const { name, path } = await scene.zone({ owner_user_id: user.id })
    const body = { type: 'SLAVE', master: '192.0.2.1', owner_user_id: user.id }
    const replica = await scene.zone(body)
    const put = (at: string, members: object, by: Ask = sendRequest) => by('PUT', at, members)
    await scene.want(403, put(path, { name: `new-${name}` }))
    await scene.want(403, put(path, { type: 'NATIVE' }))
    await scene.want(403, put(replica.path, { master: '192.0.2.2' }))
    const equal = { name: `${name}.`, type: 'master', description: 'equal' }
    await scene.want(200, put(path, equal))
    await scene.want(200, put(replica.path, { master: '192.0.2.1', description: 'equal' }))
  }),
  check(2, 'zone_meta_edit_own changes own zones, _others all', async (scene) => {
    const owner = await scene.someone(
      'zone_content_view_own',
      'zone_meta_edit_own',
      'zone_master_add'
    )
    const anyone = await scene.someone(
      'zone_content_view_others',
      'zone_meta_edit_others',
      'zone_master_add'
    )
    const { path } = await scene.zone({ owner_user_id: owner.id })
    await scene.want(200, scene.as(owner)('PUT', path, { type: 'NATIVE' }))
    const { zone } = await scene.data(200, scene.as(anyone)('PUT', path, { type: 'MASTER' }))
    scene.assert.equal(zone.type, 'MASTER')
  }),
  checkIn('sql', 2, 'the name is changed', async ({ root, zone, data, assert }) => {
    const { name, path } = await zone()
    const { zone: now } = await data(200, root('PUT', path, { name: `new-${name}` }))
    assert.equal(now.name, `new-${name}`)
  }),
  checkIn(
    'api',
    2,
    'a server behind its API cannot rename: 400, and the name stays',
    async (scene) => {
      const { name, path } = await scene.zone()
      await scene.want(400, scene.root('PUT', path, { name: `new-${name}` }))
      const { zone } = await scene.data(200, scene.root('GET', path))
      scene.assert.equal(zone.name, name)
    }
  ),
  check(3, 'no two zones share an id here: owners are added to each', async (scene) => {
    const zoneList = await Promise.all([scene.zone(), scene.zone()])
    const { id } = await scene.user()
    for (const { path } of zoneList) {
      await scene.want(201, scene.root('POST', `${path}/owners`, { user_ids: [id] }))
    }
    const all = await scene.data(200, scene.root('GET', '/zones'))
    const ids = all.zones.map((zone: { id: number }) => zone.id)
    scene.assert.lengthOf(new Set(ids), ids.length)
  })
)
