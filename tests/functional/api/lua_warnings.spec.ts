// @api-backend
import { test } from '@japa/runner'
import type { NameServer } from '#backends/contract/name_server'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

const LUA = { name: 'l', type: 'LUA', content: `A "ifportup(443, {'192.0.2.1'})"`, ttl: 60 }

test.group('HTTP API: LUA records that the name server does not execute', (group) => {
  let as: Caller
  let zone: { id: number; name: string }

  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    const backend = (await backendUnderTest()) as { nameServer?: Partial<NameServer> }
    const { nameServer } = backend
    backend.nameServer = { runsLua: () => Promise.resolve(false) }
    return () => {
      backend.nameServer = nameServer
    }
  })

  const rulesOf = (body: object): string[] =>
    [...JSON.stringify(body).matchAll(/"rule":"(lua-[a-z]+)"/g)].map(([, rule]) => rule)

  const file = `l 60 IN LUA ${LUA.content}\n`
  const WRITES: [what: string, write: () => ReturnType<Caller['post']>][] = [
    ['a record', () => as.post(`/zones/${zone.id}/records`, LUA)],
    ['a dry run', () => as.post(`/zones/${zone.id}/records?dry_run=true`, LUA)],
    [
      'a bulk',
      () =>
        as.post(`/zones/${zone.id}/records/bulk`, { operations: [{ action: 'create', ...LUA }] }),
    ],
    [
      'an RRset',
      () =>
        as.put(`/zones/${zone.id}/rrsets`, {
          ...LUA,
          content: undefined,
          records: [{ content: LUA.content }],
        }),
    ],
    ['an import', () => as.post(`/zones/${zone.id}/import`, { zone_file: file, mode: 'merge' })],
  ]

  for (const [what, write] of WRITES) {
    test(`${what} is created with a warning`, async ({ assert }) => {
      const response = await write()
      assert.isBelow(response.status(), 300, response.text())
      assert.deepEqual(rulesOf(response.body()), ['lua-disabled'])
    })
  }

  test('the metadata of the zone disables the warning', async ({ assert }) => {
    const kind = await as.put(`/zones/${zone.id}/metadata/ENABLE-LUA-RECORDS`, { values: ['1'] })
    assert.isBelow(kind.status(), 300, kind.text())
    const createdObject = await as.post(`/zones/${zone.id}/records`, LUA)
    createdObject.assertStatus(201)
    assert.deepEqual(rulesOf(createdObject.body()), [])
  }).tags(['@sql'])
})
