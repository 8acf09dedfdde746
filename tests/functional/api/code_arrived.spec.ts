// @databases @api-backend
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { luaRecords } from '#health/doctor/lua_records'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { foreignZone, reconcileAll } from '#tests/support/app/zones/foreign_zones'
import { serverZone } from '#tests/support/app/backend'
import { externalRows, historyEntries, writeExternally } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { signedIn } from '#tests/support/web/client'

const LUA = 'A "\'192.0.2.1\'"'
const MANAGER = [
  'zone_content_view_own',
  'zone_content_edit_own',
  'zone_meta_edit_own',
  'zone_master_add',
  'zone_delete_own',
] as const

test.group('Records that run code and come from other tools', (group) => {
  let client: ApiClient
  let admin: Person
  let root: Caller
  let zone: { id: number; name: string }

  group.each.setup(async (t) => {
    client = t.context.client
    admin = await administrator()
    root = caller(client, admin)
    zone = await createZone(root, { name: zoneNamed() })
  })

  const arrivals = async () => {
    await historyEntries(root, zone)
    const events = await eventsWith({ action: 'zone.code_arrived', object_id: zone.id })
    return events.map(({ detail }) => detail)
  }

  for (const [what, rows, types, records] of [
    ['a LUA record', [['odd', 'LUA', LUA]], ['LUA'], 1],
    ['one by its number', [['odd', 'TYPE65402', '\\# 0']], ['TYPE65402'], 1],
    [
      'several at two names',
      [
        ['odd', 'LUA', LUA],
        ['odd', 'LUA', 'A "\'192.0.2.2\'"'],
        ['even', 'LUA', LUA],
        ['even', 'A', '192.0.2.1'],
      ],
      ['LUA'],
      3,
    ],
    ['other records', [['odd', 'TXT', '"LUA"']], [], 0],
  ] as [string, [string, string, string][], string[], number][]) {
    test(`${what}: each check that finds such records writes an event`, async ({ assert }) => {
      await historyEntries(root, zone)
      for (const [name, type, content] of rows) await writeExternally(zone, { name, type, content })
      const wanted = records === 0 ? [] : [{ entry: 2, types, records }]
      assert.deepEqual(await arrivals(), wanted)
      assert.deepEqual(await arrivals(), wanted)
    }).tags(what.includes('number') ? ['@sql'] : [])
  }

  test('a zone of another tool with such records writes an event at its discovery', async ({
    assert,
  }) => {
    zone = await foreignZone('SLAVE')
    await reconcileAll()
    const rows = db.table('records')
    await rows.insert({
      domain_id: zone.id,
      name: `l.${zone.name}`,
      type: 'LUA',
      content: LUA,
      ttl: 1,
    })
    const found = [{ entry: 0, types: ['LUA'], records: 1 }]
    assert.deepEqual(await arrivals(), found)
    await writeExternally(zone, { name: 'odd', type: 'LUA', content: LUA })
    assert.deepEqual(await arrivals(), [...found, { entry: 1, types: ['LUA'], records: 1 }])
  }).tags(['@sql'])

  test('a zone that an administrator creates from another zone with such records writes an event', async ({
    assert,
  }) => {
    const body = { name: 'l', type: 'LUA', content: `A "ifportup(443, {'192.0.2.1'})"`, ttl: 60 }
    await expectStatus(root.post(`/zones/${zone.id}/records`, body), 201)
    const name = zoneNamed('copy')
    const id: number = await dataOf(root.post(`/zones/${zone.id}/clone`, { name }), 'zone_id')
    zone = { id, name }
    assert.deepEqual(await arrivals(), [])
  })

  test('deleted records and own writes cause no event', async ({ assert }) => {
    const body = { name: 'own', type: 'LUA', content: `A "ifportup(443, {'192.0.2.1'})"`, ttl: 60 }
    await expectStatus(root.post(`/zones/${zone.id}/records`, body), 201)
    assert.deepEqual(await arrivals(), [])
    await externalRows(zone, 'own').delete()
    assert.deepEqual(await arrivals(), [])
  })

  for (const [what, arrange, denied] of [
    ['LUA records', () => writeExternally(zone, { name: 'odd', type: 'LUA', content: LUA }), true],
    [
      'a type by number',
      () => writeExternally(zone, { name: 'odd', type: 'TYPE65402', content: '\\# 0' }),
      true,
    ],
    ['metadata that run code', () => metadata('LUA-AXFR-SCRIPT', '/etc/x.lua'), true],
    [
      'other records',
      () => writeExternally(zone, { name: 'a', type: 'TXT', content: '"x"' }),
      false,
    ],
  ] as [string, () => Promise<unknown>, boolean][]) {
    test(`the trash shows whether a zone with ${what} can be restored`, async ({ assert }) => {
      const manager = await owner(zone, [...MANAGER])
      const asUser = caller(client, manager)
      await arrange()
      await expectStatus(asUser.delete(`/zones/${zone.id}`), 204)
      const zones: { id: number; zone_id: number }[] = await dataOf(asUser.get('/trash'), 'zones')
      const { id } = zones.find((one) => one.zone_id === zone.id)!
      const link = `href="/trash/${id}/restore"`
      const browser = await signedIn(manager)
      const page = await browser.get('/trash')
      assert.equal(!page.html.includes(link), denied)
      const inCharge = await signedIn(admin)
      const theirs = await inCharge.get('/trash')
      assert.include(theirs.html, link)
      await expectStatus(asUser.post(`/trash/${id}/restore`, {}), denied ? 403 : 201)
    }).tags(what.includes('number') ? ['@sql'] : [])
  }

  async function metadata(kind: string, content: string) {
    const rows = await serverZone(zone)
    await rows.add('domainmetadata', { kind, content })
  }

  test('doctor and the server page list zones of others with such records', async ({ assert }) => {
    const named = async () => {
      const findings = await luaRecords()
      const browser = await signedIn(admin)
      const page = await browser.get('/server')
      return [findings.some(({ text }) => text.includes(zone.name)), page.html.includes(zone.name)]
    }
    await writeExternally(zone, { name: 'odd', type: 'LUA', content: LUA })
    await historyEntries(root, zone)
    assert.deepEqual(await named(), [false, false])
    await owner(zone, [...MANAGER])
    assert.deepEqual(await named(), [true, true])
    await expectStatus(root.delete(`/zones/${zone.id}`), 204)
    assert.deepEqual(await named(), [false, false])
  })
})
