// @databases
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { ZoneStep } from '#backends/pending_writes/steps'
import { storeWrite, confirmWrite } from '#backends/pending_writes/store'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { PowerDnsApiBackend } from '#backends/powerdns_api/driver'
import { synchroniseZones } from '#changes/recovery/sync_server'
import { reconcileZones } from '#changes/recovery/reconcile'
import { ZoneIndexSync } from '#background/zone_index_sync'
import { journalOf } from '#tests/support/app/zones/zones'
import { unique } from '#tests/support/app/names'
import { eventually } from '#tests/support/eventually'
import { HttpProxy, type ProxiedCall } from '#tests/support/faults/http_proxy'
import { PowerDns } from '#tests/support/powerdns'
import { freshZoneName } from './contract/bench.js'

test.group('Zone index of the API backend', (group) => {
  let dns: PowerDns
  let proxy: HttpProxy
  let backend: PowerDnsApiBackend
  let patient: PowerDnsApiBackend
  let client: PowerDnsClient

  group.setup(async () => {
    dns = await PowerDns.start({ api: true, ownDatabase: true })
    proxy = await HttpProxy.start(dns.apiUrl!.replace(/\/api\/.*/, ''))
    const terms = { key: dns.apiKey, serverName: 'localhost' }
    client = new PowerDnsClient({ url: proxy.url, ...terms })
    const database = await app.container.make('lucid.db')
    backend = new PowerDnsApiBackend(database, { client, graceMs: 0 })
    patient = new PowerDnsApiBackend(database, { client })
    return async () => {
      await proxy.stop()
      await dns.stop()
    }
  })
  group.each.setup(() => proxy.heal())

  const make = async (name = freshZoneName()) => {
    await client.send('POST', '/zones', { name: `${name}.`, kind: 'Native', nameservers: [] })
    return name
  }
  /** Writes a record as another tool does. */
  const hold = (zone: string, name: string) => {
    const records = [{ content: '192.0.2.1', disabled: false }]
    const set = { name: `${name}.`, type: 'A', ttl: 300, changetype: 'REPLACE', records }
    return client.send('PATCH', `/zones/${zone}.`, { rrsets: [set] })
  }
  const zoneRow = (name: string) => db.from('zw_zones').where('name', name).first()
  const sweep = async () => {
    for (let after: number | null = 0; after !== null;) {
      const step: { next: number | null } = await reconcileZones(backend, after)
      after = step.next
    }
  }

  test('zones of other tools are added with their zone rows', async ({ assert }) => {
    const name = await make()
    const synced = await synchroniseZones(backend)
    // Zones of other tests, whose servers have stopped, are missing.
    assert.containsSubset(synced, { added: 1, removed: 0 })
    const zone = await backend.findZoneByName(name)
    assert.equal(zone?.kind, 'NATIVE')
    const row = await zoneRow(name)
    assert.equal(row.id, zone!.id)
    assert.containsSubset(await synchroniseZones(backend), { added: 0, changed: 0 })
  })

  test('a zone that is requested by name is found before the next synchronisation', async ({
    assert,
  }) => {
    const name = await make()
    const zone = await backend.findZoneByName(name)
    assert.equal(zone?.name, name)
    const records = await backend.allRRsets(zone!)
    assert.deepEqual(
      records.map(({ type }) => type),
      ['SOA']
    )
    assert.isNull(await backend.findZoneByName(freshZoneName()))
  })

  test('names in zones without a mirror and in unknown zones are found', async ({ assert }) => {
    const name = await make()
    await synchroniseZones(backend)
    await hold(name, `deep.www.${name}`)
    assert.deepEqual(await backend.zonesWithRecordsAt(`deep.www.${name}`), [name])
    assert.deepEqual(await backend.zonesWithRecordsAt(`www.${name}`), [])
    const { id } = (await backend.findZoneByName(name))!
    assert.deepEqual(await backend.zonesWithRecordsAt(`deep.www.${name}`, id), [])

    const unknown = await make()
    await hold(unknown, `www.${unknown}`)
    assert.deepEqual(await backend.zonesWithRecordsAt(`www.${unknown}`), [unknown])

    proxy.fate = () => ({ status: 500, body: '{"error": "no"}' })
    await assert.rejects(() => backend.zonesWithRecordsAt(`www.${name}`))
  })

  test('a zone gets the id of the zone row with its name', async ({ assert }) => {
    const name = await make()
    await synchroniseZones(backend)
    const { id } = (await backend.findZoneByName(name))!
    await db.from('zw_mirror_zones').where('id', id).delete()
    await make()
    await synchroniseZones(backend)
    const again = await backend.findZoneByName(name)
    assert.equal(again?.id, id)
  })

  test('external changes appear in lists and searches after a synchronisation and get an entry', async ({
    assert,
  }) => {
    const name = await make()
    await synchroniseZones(backend)
    const { id } = (await backend.findZoneByName(name))!
    await hold(name, `needle.${name}`)
    const synced = await synchroniseZones(backend)
    assert.containsSubset(synced, { refreshed: 1, waiting: 0, unread: [] })
    const { serial } = (await client.get(`/zones/${name}.?rrsets=false`)) as { serial: number }
    proxy.heal()
    const glances = await backend.zoneSummaries([id])
    assert.deepEqual(glances.get(id), { serial, signing: null, records: 2 })
    const found = await backend.searchRecords({
      terms: [{ field: 'word', texts: ['needle'], isPattern: false, negated: false }],
      zoneIds: [id],
      onlyVisibleZones: () => {},
      limit: 10,
    })
    assert.deepEqual(
      found.hits.map((hit) => hit.name),
      [`needle.${name}`]
    )
    assert.deepEqual(proxy.calls, [])
    const entries = await journalOf(id)
    assert.deepEqual(
      entries.map(({ channel, serial_after: after }) => [channel, after]),
      [['external', serial]]
    )
    assert.containsSubset(await synchroniseZones(backend), { refreshed: 0, waiting: 0 })
  })

  test('changed zones are read in turns, and an unreadable one is reported', async ({ assert }) => {
    const names = [await make(), await make(), await make()]
    await synchroniseZones(backend)
    const moveAll = async () => {
      for (const name of names) await hold(name, `${unique('www')}.${name}`)
    }
    await moveAll()
    for (const waiting of [2, 1, 0]) {
      const synced = await synchroniseZones(backend, { maxZones: 1 })
      assert.containsSubset(synced, { refreshed: 1, waiting, unread: [] })
    }
    await moveAll()
    const [broken] = names
    proxy.fate = ({ path }) =>
      path.startsWith(`/zones/${broken}.`) ? { status: 200, body: 'nonsense' } : 'pass'
    for (let i = 0; i < 2; i++) {
      const synced = await synchroniseZones(backend)
      assert.containsSubset(synced, { refreshed: i === 0 ? 2 : 0, waiting: 0, unread: [broken] })
    }
    proxy.heal()
    assert.containsSubset(await synchroniseZones(backend), { refreshed: 1, unread: [] })
  })

  test('zones that are being written are skipped and not requested', async ({ assert }) => {
    const name = await make()
    await synchroniseZones(backend)
    const { id } = (await backend.findZoneByName(name))!
    await hold(name, `www.${name}`)
    const step: ZoneStep = { zoneId: id, zoneName: name, kind: 'rectify' }
    const write = await storeWrite(db.connection(), [step], null, null)
    proxy.heal()
    assert.containsSubset(await synchroniseZones(backend), { refreshed: 0, waiting: 1, unread: [] })
    assert.deepEqual(
      proxy.calls.filter(({ path }) => path.includes(name)),
      []
    )
    await confirmWrite(db.connection(), write!.id)
    assert.containsSubset(await synchroniseZones(backend), { refreshed: 1, waiting: 0 })
  })

  test('an empty list deletes no zone', async ({ assert }) => {
    const name = await make()
    await synchroniseZones(backend)
    for (const body of ['[]', '{}', 'nonsense']) {
      proxy.fate = ({ path }) => (path.startsWith('/zones?') ? { status: 200, body } : 'pass')
      for (let i = 0; i < 3; i++) await synchroniseZones(backend).catch(() => {})
      await sweep()
      assert.exists(await backend.findZoneByName(name))
      const row = await zoneRow(name)
      assert.equal(row.kind, 'NATIVE')
    }
  })

  test('deletions and changes during the listing of the server are kept', async ({ assert }) => {
    const names = [await make(), await make()]
    await synchroniseZones(backend)
    const zones = await Promise.all(names.map((name) => backend.findZoneByName(name)))
    const isList = ({ path }: ProxiedCall) => path.startsWith('/zones?')
    proxy.fate = (call) => (isList(call) ? 'held' : 'pass')
    const syncing = synchroniseZones(backend)
    await eventually(() => assert.isDefined(proxy.calls.find(isList)?.status))
    await backend.write(async (session) => {
      const ids = zones.map((zone) => zone!.id)
      const locked = await session.lockZones(ids)
      const [deleted, changed] = ids.map((id) => locked.get(id)!)
      await session.deleteZone(deleted)
      await session.updateZone(changed, { kind: 'MASTER' })
    })
    proxy.heal()
    assert.containsSubset(await syncing, { added: 0, changed: 0 })
    const mirrored = await db.from('zw_mirror_zones').whereIn('name', names).select('name', 'type')
    assert.deepEqual(mirrored, [{ name: names[1], type: 'MASTER' }])
  })

  test('zone rows stay before the server was read for the first time', async ({ assert }) => {
    const name = await make()
    await synchroniseZones(backend)
    const { id } = await zoneRow(name)
    await db.from('zw_mirror_zones').delete()
    await new ZoneIndexSync(() => backend, { info() {}, warn() {} }).runOnce()
    assert.containsSubset(await zoneRow(name), { id, kind: 'NATIVE' })

    await db.from('zw_zones').where('id', id).update({ kind: null, sort_key: null })
    assert.exists(await backend.findZoneByName(name))
    await db.from('zw_mirror_zones').delete()
    await synchroniseZones(backend)
    assert.containsSubset(await zoneRow(name), { id, kind: 'NATIVE' })
  })

  test('a zone of an unknown kind does not block others', async ({ assert }) => {
    const strange = await make()
    await synchroniseZones(backend)
    const name = await make()
    const listed = (await client.get('/zones?dnssec=false')) as { name: string; kind: string }[]
    const body = listed.map((one) =>
      one.name === `${strange}.` ? { ...one, kind: 'Forwarded' } : one
    )
    proxy.fate = ({ path }) =>
      path.startsWith('/zones?') ? { status: 200, body: JSON.stringify(body) } : 'pass'
    assert.containsSubset(await synchroniseZones(backend), { added: 1, missing: 0, removed: 0 })
    assert.exists(await zoneRow(name))
    assert.exists(await backend.findZoneByName(strange))
  })

  test('a missing zone leaves the lists after two checks and some time, and keeps its owners', async ({
    assert,
  }) => {
    const name = await make()
    await synchroniseZones(backend)
    const { id } = await zoneRow(name)
    await db.from('zw_zones').where('id', id).update({ description: 'ours' })
    await client.send('DELETE', `/zones/${name}.`)
    // One check is not enough, whatever the grace period.
    assert.containsSubset(await synchroniseZones(backend), { missing: 1, removed: 0 })
    for (let i = 0; i < 2; i++) {
      assert.containsSubset(await synchroniseZones(patient), { missing: 1, removed: 0 })
    }
    assert.exists(await patient.findZone(id))
    assert.containsSubset(await synchroniseZones(backend), { missing: 1, removed: 1 })
    assert.isNull(await backend.findZone(id))
    await sweep()
    assert.containsSubset(await zoneRow(name), { id, kind: null, description: 'ours' })

    await make(name)
    await synchroniseZones(backend)
    await sweep()
    assert.containsSubset(await zoneRow(name), { id, kind: 'NATIVE', description: 'ours' })
  })
})
