import type { KeyOperation } from '#access/actor'
import { keyFor } from '#tests/support/app/people/people'
import type { Ask } from '#tests/support/conformance/ask'
import { check, section } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'

const ADDRESS = { name: 'a', type: 'A', content: '192.0.2.1' }
const ALL: KeyOperation[] = ['view', 'create', 'update', 'delete']

/** Creates a zone with a record. Returns a request of each operation. */
async function requests(scene: Scene) {
  const zone = await scene.zone()
  const { path } = await scene.record(zone, 'www', 'A', '192.0.2.9')
  const ask: Record<KeyOperation, [string, string, object?]> = {
    view: ['GET', path],
    create: ['POST', `${zone.path}/records`, ADDRESS],
    update: ['PUT', zone.path, { description: 'changed' }],
    delete: ['DELETE', path],
  }
  return { zone, ask }
}

/** Replaces the addresses at `set` by these contents. */
const replace = (sendRequest: Ask, path: string, contents: string[], ttl = 300) =>
  sendRequest('PUT', `${path}/rrsets`, {
    name: 'set',
    type: 'A',
    ttl,
    records: contents.map((content) => ({ content })),
  })

export const restrictions = section(
  'Key restrictions',
  check('read-only', '', async (scene) => {
    const { ask: requested } = await requests(scene)
    const key = await scene.narrowed({ readOnly: true })
    await scene.want(200, key(...requested.view))
    await scene.want(200, key('HEAD', requested.view[1]))
    for (const operation of ['create', 'update', 'delete'] as const) {
      await scene.want(403, key(...requested[operation]))
    }
  }),
  check('operations', '', async (scene) => {
    for (const allowed of ALL) {
      const { ask: requested } = await requests(scene)
      const key = await scene.narrowed({ operations: [allowed] })
      for (const operation of ALL) {
        const { status } = await key(...requested[operation])
        scene.assert.equal(status === 403, operation !== allowed, `${allowed}: ${operation}`)
      }
    }
    const { ask: requested } = await requests(scene)
    const key = await scene.narrowed({ operations: [] })
    for (const operation of ALL) {
      const { status } = await key(...requested[operation])
      scene.assert.isBelow(status, 300)
    }
  }),
  check('zones', '', async (scene) => {
    const [own, other] = [await requests(scene), await requests(scene)]
    const key = await scene.narrowed({ zones: [own.zone] })
    for (const operation of ALL) {
      const { status } = await key(...own.ask[operation])
      scene.assert.isBelow(status, 300)
      await scene.want(403, key(...other.ask[operation]))
    }
    const all = await scene.narrowed({ zones: [] })
    await scene.want(200, all('GET', other.zone.path))
  }),
  check(1, 'what addresses a zone is narrowed', async (scene) => {
    const [own, other] = [await scene.zone(), await scene.zone()]
    const key = await scene.narrowed({ zones: [own] })
    for (const tail of ['', '/records', '/rrsets', '/metadata', '/owners', '/dnssec']) {
      const { status } = await key('GET', `${own.path}${tail}`)
      scene.assert.notEqual(status, 403, tail)
      await scene.want(403, key('GET', `${other.path}${tail}`))
    }
    const { path } = await scene.group()
    await scene.want(403, key('POST', `${path}/zones`, { zone_id: other.id }))
    await scene.want(201, key('POST', `${path}/zones`, { zone_id: own.id }))
    await scene.want(403, key('POST', '/zones', { name: 'refused.conform.test' }))
  }),
  check(1, 'other resources are not', async (scene) => {
    const key = await scene.narrowed({ zones: [await scene.zone()] })
    for (const path of [
      '/users',
      '/groups',
      '/permissions',
      '/permission-templates',
      '/zone-templates',
    ]) {
      await scene.want(200, key('GET', path))
    }
    const body = { name: `of ${Date.now()}`, descr: '', permissions: [] }
    await scene.want(201, key('POST', '/permission-templates', body))
    const viewing = await scene.narrowed({ operations: ['view'] })
    await scene.want(403, viewing('POST', '/permission-templates', body))
  }),
  check(2, '', async (scene) => {
    const [own, other] = [await scene.zone(), await scene.zone()]
    const { path } = await scene.group()
    for (const { id } of [own, other]) {
      await scene.want(201, scene.root('POST', `${path}/zones`, { zone_id: id }))
    }
    const key = await scene.narrowed({ zones: [own] })
    const { zones } = await scene.data(200, key('GET', `${path}/zones`))
    scene.assert.deepEqual(
      zones.map((zone: { zone_id: number }) => zone.zone_id),
      [own.id]
    )
    const list = await scene.data(200, key('GET', '/zones'))
    scene.assert.deepEqual(
      list.zones.map((zone: { id: number }) => zone.id),
      [own.id]
    )
  }),
  check(3, '', async (scene) => {
    const user = await scene.user()
    const { id } = await scene.template()
    for (const [operation, method, path, body] of [
      ['view', 'GET', user.path, undefined],
      ['view', 'HEAD', user.path, undefined],
      ['create', 'POST', '/groups', {}],
      ['update', 'PUT', user.path, { description: 'x' }],
      ['update', 'PATCH', user.path, { perm_templ: id }],
      ['delete', 'DELETE', '/groups/2147483647', undefined],
    ] as const) {
      for (const allowed of ALL) {
        const key = await scene.narrowed({ operations: [allowed] })
        const { status } = await key(method, path, body)
        scene.assert.equal(status === 403, operation !== allowed, `${allowed}: ${method}`)
      }
    }
  }),
  check(4, '', async (scene) => {
    const { zone } = await requests(scene)
    const { records } = await scene.data(200, scene.root('GET', `${zone.path}/records?type=A`))
    const operations = [
      { action: 'create', ...ADDRESS },
      { action: 'update', id: records[0].id, content: '192.0.2.8' },
    ]
    const bulk = async (...allowed: KeyOperation[]) =>
      (await scene.narrowed({ operations: allowed }))('POST', `${zone.path}/records/bulk`, {
        operations,
      })
    await scene.want(403, bulk('create'))
    await scene.want(403, bulk('update'))
    await scene.want(404, scene.root('GET', `${zone.path}/rrsets/a/A`))
    await scene.want(200, bulk('create', 'update'))
  }),
  check(5, '', async (scene) => {
    const { path } = await scene.zone()
    await scene.want(200, replace(scene.root, path, ['192.0.2.1', '192.0.2.2']))
    const [create, update, both, all] = await Promise.all(
      [['create'], ['update'], ['create', 'update'], ['create', 'update', 'delete']].map(
        async (operations) => scene.narrowed({ operations: operations as KeyOperation[] })
      )
    )
    const other = ['192.0.2.3', '192.0.2.4']
    await scene.want(403, replace(create, path, other))
    await scene.want(403, replace(update, path, other))
    await scene.want(200, replace(both, path, other))
    await scene.want(200, replace(both, path, other, 600))
    await scene.want(403, replace(both, path, ['192.0.2.5']))
    await scene.want(200, replace(all, path, ['192.0.2.5']))
    await scene.want(200, replace(both, path, ['192.0.2.5', '192.0.2.6']))
  }),
  check(6, '', async (scene) => {
    const owner = await scene.someone('zone_content_view_own')
    const zone = await scene.zone({ owner_user_id: owner.id })
    const other = await scene.zone()
    const wide = scene.as(await keyFor(owner, { operations: ALL, zones: [zone, other] }))
    await scene.want(200, wide('GET', zone.path))
    await scene.want(404, wide('GET', other.path))
    await scene.want(403, wide('POST', `${zone.path}/records`, ADDRESS))
    const created = await scene.data(201, scene.root('POST', '/api-keys', { name: 'of a check' }))
    const none = { read_only: false, operations: [], zones: [] }
    scene.assert.deepInclude(created.api_key, none)
  })
)
