import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import { PowerDns } from '#tests/support/powerdns'
import { Bench, rrset, type DriverUnderTest } from './contract/bench.js'
import { registerDriverContract } from './driver_contract.js'
import { takeExternalChanges } from './contract/outsiders.js'

/** As in `plugins.providers` of an operator: the package is not known at compile time. */
const PACKAGE = new URL('../fixtures/zonewright-memory/provider.js', import.meta.url).href

interface Package {
  default: new (application: typeof app) => { boot(): Promise<void> }
  zonesInMemory(): ZoneServer
}

let backend: Promise<DnsBackend> | undefined
let server: Promise<PowerDns> | undefined
let zones: ZoneServer

async function createBackend(): Promise<DnsBackend> {
  const { default: Provider, zonesInMemory } = (await import(PACKAGE)) as Package
  await new Provider(app).boot()
  const manager = await app.container.make(BackendManager)
  const memoryBackend = manager.use('memory')
  zones = zonesInMemory()
  return memoryBackend
}

/** A PowerDNS that gets all zones of the memory before each query. */
async function serve(): Promise<PowerDns> {
  const dns = await PowerDns.start({ ownDatabase: true })
  const published = new Map<string, string>()
  const publish = async () => {
    const { zones: all } = await zones.list()
    for (const name of published.keys()) {
      if (!all.some((one) => one.name === name)) {
        fill(dns.databaseFile, name, null)
        published.delete(name)
      }
    }
    for (const { name } of all) {
      const [zone, metadata] = [await zones.zone(name), await zones.metadata(name)]
      const state = `${zone!.digest} ${JSON.stringify(metadata)}`
      if (published.get(name) !== state) {
        fill(dns.databaseFile, name, { ...zone!, metadata: metadata! })
        await dns.util('rectify-zone', name)
        published.set(name, state)
      }
    }
  }
  const queryMethods: (string | symbol)[] = ['query', 'util']
  return new Proxy(dns, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target)
      if (typeof value !== 'function') {
        return value
      }
      const call = value.bind(target) as (...args: unknown[]) => unknown
      return queryMethods.includes(member)
        ? async (...args: unknown[]) => {
            await publish()
            return call(...args)
          }
        : call
    },
  })
}

type Published = ServerZone & { metadata: Record<string, string[]> }

/** Makes the rows of a zone in a database of PowerDNS match the zone. */
function fill(file: string, name: string, zone: Published | null): void {
  const database = new Sqlite(file)
  const run = (sql: string, ...values: unknown[]) => void database.prepare(sql).run(values)
  const id = '(select id from domains where name = ?)'
  run('begin immediate')
  run(`delete from records where domain_id = ${id}`, name)
  run(`delete from domainmetadata where domain_id = ${id}`, name)
  run('delete from domains where name = ?', name)
  if (zone) {
    run('insert into domains (name, type) values (?, ?)', name, zone.kind)
    for (const [kind, values] of Object.entries(zone.metadata)) {
      for (const value of values) {
        run(
          `insert into domainmetadata (domain_id, kind, content) values (${id}, ?, ?)`,
          name,
          kind,
          value
        )
      }
    }
    const columns = 'domain_id, auth, name, type, content, ttl, prio, disabled'
    const insert = `insert into records (${columns}) values (${id}, 1, ?, ?, ?, ?, ?, ?)`
    for (const { name: owner, type, ttl, records } of zone.rrsets) {
      for (const { content, priority, disabled } of records) {
        run(insert, name, owner, type, content, ttl, priority, Number(disabled))
      }
    }
  }
  run('commit')
  database.close()
}

const driver: DriverUnderTest = {
  name: 'memory (a package)',
  writesRows: false,
  hasOutsiders: false,
  backend: () => (backend ??= createBackend()),
  async powerdns() {
    await this.backend()
    return (server ??= serve())
  },
}

registerDriverContract(driver)

test.group('memory (a package) driver: external changes', () => {
  test('an external change is read at once, reported once, and differs from own writes', async ({
    assert,
  }) => {
    const bench = await Bench.of(driver)
    const zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
    assert.deepEqual(await takeExternalChanges(bench, zone), [])
    const after = rrset(`www.${zone.name}`, 'A', ['192.0.2.2'])
    const change = { name: after.name, type: 'A', before: null, after }
    const step = { zoneId: 0, zoneName: zone.name, kind: 'records' as const }
    await zones.executeStep({ ...step, changes: [change], movesSerial: false })
    assert.isTrue(await bench.backend.hasExternalChanges(zone))
    const set = await bench.stored(zone, after.name, 'A')
    assert.deepEqual(
      set?.records.map(({ content }) => content),
      ['192.0.2.2']
    )
    const changes = await takeExternalChanges(bench, zone)
    assert.deepEqual(changes, [`${after.name} A: 300 192.0.2.1 => 300 192.0.2.2`])
    assert.deepEqual(await takeExternalChanges(bench, zone), [])
  })

  test('a write that the server refuses changes nothing', async ({ assert }) => {
    const bench = await Bench.of(driver)
    const zone = await bench.zone()
    const carry = zones.executeStep.bind(zones)
    zones.executeStep = () => Promise.reject(new Error('the memory is full'))
    try {
      const write = bench.put(zone, rrset(`www.${zone.name}`, 'A', ['192.0.2.1']))
      await assert.rejects(() => write, 'the memory is full')
    } finally {
      zones.executeStep = carry
    }
    assert.isNull(await bench.stored(zone, `www.${zone.name}`, 'A'))
    await bench.put(zone, rrset(`www.${zone.name}`, 'A', ['192.0.2.1']))
  })
})
