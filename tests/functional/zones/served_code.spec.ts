import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { serverZone } from '#tests/support/app/backend'
import { newest, undo, writeExternally } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'

const MANAGER = [
  'zone_content_view_own',
  'zone_content_edit_own',
  'zone_meta_edit_own',
  'zone_logs_view_own',
  'zone_master_add',
  'zone_slave_add',
  'zone_delete_own',
] as const

interface Zone {
  id: number
  name: string
}

/** Stores a record in the tables of PowerDNS as a transfer or another tool does. */
const arrives = (zone: Zone, type: string, content: string) =>
  writeExternally(zone, { name: 'odd', type, content })

test.group('Records and metadata that run code', (group) => {
  let client: ApiClient
  let root: Caller
  let manager: Caller
  let zone: Zone

  group.each.setup(async (t) => {
    client = t.context.client
    root = caller(client, await administrator())
    zone = await createZone(root, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
    manager = caller(client, await owner(zone, [...MANAGER]))
  })

  for (const [type, content, kind, status] of [
    ['LUA', 'A "\'192.0.2.1\'"', 'NATIVE', 403],
    ['LUA', 'A "\'192.0.2.1\'"', 'MASTER', 403],
    ['LUA', 'broken', 'master', 403],
    ['TYPE65402', '\\# 0', 'NATIVE', 403],
    ['LUA', 'A "\'192.0.2.1\'"', 'SLAVE', 200],
    ['A', '192.0.2.1', 'NATIVE', 200],
    ['TXT', '"LUA"', 'MASTER', 200],
  ] as [string, string, string, number][]) {
    test(`a change of a secondary zone with ${type} ${content} to ${kind} gets ${status}`, async ({
      assert,
    }) => {
      await arrives(zone, type, content)
      const response = await manager.put(`/zones/${zone.id}`, { type: kind, account: 'x' })
      response.assertStatus(status)
      if (status === 403) {
        assert.include(response.body().message, type)
        assert.equal(await dataOf(root.get(`/zones/${zone.id}`), 'zone.type'), 'SLAVE')
        await expectStatus(manager.put(`/zones/${zone.id}?dry_run=true`, { type: kind }), 403)
        await expectStatus(root.put(`/zones/${zone.id}`, { type: kind }), 200)
      }
    })
  }

  test('undo of a change of the type requires the same permission', async () => {
    const ownZone = await createZone(root, { name: zoneNamed() })
    const asUser = caller(client, await owner(ownZone, [...MANAGER]))
    await expectStatus(
      asUser.put(`/zones/${ownZone.id}`, { type: 'SLAVE', master: '192.0.2.1' }),
      200
    )
    await arrives(ownZone, 'LUA', 'A "\'192.0.2.1\'"')
    await expectStatus(undo(asUser, ownZone, await newest(ownZone)), 403)
  })

  for (const [what, arrange, status, named] of [
    ['LUA records', (ownZone: Zone) => arrives(ownZone, 'LUA', 'A "\'192.0.2.1\'"'), 403, 'LUA'],
    ['LUA by number', (ownZone: Zone) => arrives(ownZone, 'TYPE65402', '\\# 0'), 403, 'TYPE65402'],
    ['ENABLE-LUA-RECORDS', metadata('ENABLE-LUA-RECORDS', '1'), 403, 'ENABLE-LUA-RECORDS'],
    ['LUA-AXFR-SCRIPT', metadata('LUA-AXFR-SCRIPT', '/etc/x.lua'), 403, 'LUA-AXFR-SCRIPT'],
    ['other metadata', metadata('ALSO-NOTIFY', '192.0.2.1'), 201, ''],
    ['nothing special', () => Promise.resolve(), 201, ''],
  ] as [string, (ownZone: Zone) => Promise<void>, number, string][]) {
    test(`a restore of a deleted zone with ${what} gets ${status}`, async ({ assert }) => {
      const ownZone = await createZone(root, { name: zoneNamed() })
      const asUser = caller(client, await owner(ownZone, [...MANAGER]))
      await arrange(ownZone)
      await expectStatus(asUser.delete(`/zones/${ownZone.id}`), 204)
      const items: { id: number; zone_id: number }[] = await dataOf(asUser.get('/trash'), 'zones')
      const { id } = items.find((item) => item.zone_id === ownZone.id)!
      const response = await asUser.post(`/trash/${id}/restore`, {})
      response.assertStatus(status)
      if (status === 403) {
        assert.include(response.body().message, named)
        await expectStatus(root.post(`/trash/${id}/restore`, {}), 201)
      }
    })
  }

  test('a deleted secondary zone is restored as such, with any records of its primary', async () => {
    await arrives(zone, 'LUA', 'A "\'192.0.2.1\'"')
    await expectStatus(manager.delete(`/zones/${zone.id}`), 204)
    const items: { id: number; zone_id: number }[] = await dataOf(manager.get('/trash'), 'zones')
    const { id } = items.find((item) => item.zone_id === zone.id)!
    await expectStatus(manager.post(`/trash/${id}/restore`, {}), 201)
    await expectStatus(manager.put(`/zones/${zone.id}`, { type: 'NATIVE' }), 403)
  })
})

function metadata(kind: string, content: string) {
  return async (zone: Zone) => {
    const rows = await serverZone(zone)
    await rows.add('domainmetadata', { kind, content })
  }
}
