import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { BackendZone } from '#backends/contract/backend'
import { Bench, freshZoneName, rrset, type DriverUnderTest } from './bench.js'
import { insertRow, nsupdate, rowsAt, takeExternalChanges } from './outsiders.js'
import { raw } from './raw.js'

/** Creates a zone with this id as another tool does. */
async function insertZone(id: number, name: string): Promise<BackendZone> {
  await db.table('domains').insert({ id, name, type: 'NATIVE' })
  const zone: BackendZone = { id, name, kind: 'NATIVE', masters: [], account: null }
  const soa = `ns1.${name} hostmaster.${name} 1 10800 3600 604800 300`
  await insertRow(zone, name, { type: 'SOA', content: soa })
  await insertRow(zone, `www.${name}`)
  return zone
}

/** Deletes a zone as another tool does. */
async function deleteZone(zone: BackendZone): Promise<void> {
  await db.from('records').where('domain_id', zone.id).delete()
  await db.from('domains').where('id', zone.id).delete()
}

/** Number of snapshot rows of the zone. */
async function countSnapshots(zone: BackendZone): Promise<number> {
  const [row] = await db.from('zw_record_snapshots').where('zone_id', zone.id).count('* as total')
  return Number(row.total)
}

let lastId = 1_500_000_000

/** External changes of whole zones, and those by PowerDNS' own tools. */
export function registerOutsideZones(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: outside changes of zones`, () => {
    test("the snapshot of another tool's zone has its current state", async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      assert.isTrue(await bench.backend.hasExternalChanges(zone))
      assert.deepEqual(await takeExternalChanges(bench, zone, [`www.${zone.name}`]), [])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
      await insertRow(zone, `new.${zone.name}`)
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `new.${zone.name} A: - => 300 192.0.2.1`,
      ])
    })

    test('a write into a zone without snapshot leaves it without one', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      await bench.put(zone, rrset(`own.${zone.name}`, 'A', ['192.0.2.1']))
      assert.isTrue(await bench.backend.hasExternalChanges(zone))
      assert.deepEqual(await takeExternalChanges(bench, zone), [])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('another zone with the id of a deleted one is a new zone', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      await takeExternalChanges(bench, zone)
      await deleteZone(zone)
      const otherZone = await insertZone(zone.id, freshZoneName())
      assert.isTrue(await bench.backend.hasExternalChanges(otherZone))
      assert.deepEqual(await takeExternalChanges(bench, otherZone), [])
      assert.isFalse(await bench.backend.hasExternalChanges(otherZone))
    })

    test('a zone that is created again with its id and name is reported as changed', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      await insertRow(zone, `old.${zone.name}`)
      await takeExternalChanges(bench, zone)
      await deleteZone(zone)
      await insertZone(zone.id, zone.name)
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `old.${zone.name} A: 300 192.0.2.1 => -`,
      ])
    })

    test('a deleted zone leaves no snapshot', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
      assert.equal(await countSnapshots(zone), 3)
      await bench.locked(zone, (session, it) => session.deleteZone(it))
      assert.equal(await countSnapshots(zone), 0)
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('a new zone has a snapshot from its first record on', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['www', 'A', ['192.0.2.1', '192.0.2.1']]])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
      await rowsAt(zone, `www.${zone.name}`).delete()
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `www.${zone.name} A: 300 192.0.2.1, 192.0.2.1 => -`,
      ])
    })

    test('kind, primaries and account are reported once, and own writes are not', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const now = async () => (await bench.backend.findZone(zone.id))!
      const taken = async () =>
        bench.locked(await now(), (session, it) => session.takeExternalPropertyChanges(it))
      assert.isNull(await taken())
      const row = () => raw().from('domains').where('name', zone.name)
      await row().update({ type: 'SLAVE', master: '192.0.2.53 ,192.0.2.54', account: 'others' })
      assert.isTrue(await bench.backend.hasExternalChanges(await now()))
      const { kind, masters, account } = zone
      assert.deepEqual(await taken(), {
        before: { kind, masters, account },
        after: { kind: 'SLAVE', masters: ['192.0.2.53', '192.0.2.54'], account: 'others' },
      })
      assert.isFalse(await bench.backend.hasExternalChanges(await now()))
      assert.isNull(await taken())
      // Another spelling of the same values.
      await row().update({ type: 'Slave', master: '192.0.2.53,192.0.2.54' })
      assert.isNull(await taken())
      await bench.locked(await now(), (session, it) => session.updateZone(it, { account: null }))
      assert.isFalse(await bench.backend.hasExternalChanges(await now()))
      assert.isNull(await taken())
    })

    test('metadata is reported if requested, except for that of signing', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const taken = async () =>
        bench.locked(zone, (session, it) =>
          session.takeExternalPropertyChanges(it, { withMetadata: true })
        )
      await taken()
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
      const { id } = await raw().from('domains').where('name', zone.name).firstOrFail()
      const add = (kind: string, content: string) =>
        raw().table('domainmetadata').insert({ domain_id: id, kind, content })
      await add('PRESIGNED', '0')
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
      await add('ALSO-NOTIFY', '192.0.2.7')
      assert.isTrue(await bench.backend.hasExternalChanges(zone))
      assert.isFalse(await bench.backend.hasExternalChanges(zone, { maxRecords: 1000 }))
      assert.deepEqual(await taken(), {
        before: { metadata: { 'ALSO-NOTIFY': [] } },
        after: { metadata: { 'ALSO-NOTIFY': ['192.0.2.7'] } },
      })
      const written = { 'ALSO-NOTIFY': ['192.0.2.8'] }
      await bench.locked(zone, (session, it) => session.writeMetadata(it, written))
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('changes by pdnsutil are reported', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['www', 'A', ['192.0.2.1']],
        ['mail', 'MX', [{ content: 'mx.example', priority: 10 }]],
        ['kept', 'TXT', ['"kept"']],
      ])
      const { name } = zone
      const soa = (serial: number) => {
        return `300 ns1.${name} hostmaster.${name} ${serial} 10800 3600 604800 300`
      }
      await bench.dns.util('add-record', name, 'www', 'A', '300', '192.0.2.2')
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `www.${name} A: 300 192.0.2.1 => 300 192.0.2.1, 192.0.2.2`,
      ])
      await bench.dns.util('replace-rrset', name, 'mail', 'MX', '60', '20 mx.example.')
      await bench.dns.util('replace-rrset', name, 'kept', 'TXT', '300', '"kept"')
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `mail.${name} MX: 300 10 mx.example => 60 20 mx.example`,
      ])
      await bench.dns.util('increase-serial', name)
      await bench.dns.util('delete-rrset', name, 'www', 'A')
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `www.${name} A: 300 192.0.2.1, 192.0.2.2 => -`,
        `${name} SOA: ${soa(1)} => ${soa(2)}`,
      ])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
      await bench.dns.util('rectify-zone', name)
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('changes by nsupdate are reported', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['www', 'A', ['192.0.2.1']],
        ['gone.deep', 'TXT', ['"text"']],
      ])
      const { name } = zone
      await nsupdate(
        bench,
        zone,
        `update delete www.${name} A`,
        `update add www.${name} 60 A 192.0.2.7`,
        `update delete gone.deep.${name}`,
        `update add new.${name} 120 MX 5 Mail.${name}`
      )
      const lines = await takeExternalChanges(bench, zone)
      assert.match(
        lines.pop()!,
        /^\S+ SOA: 300 \S+ \S+ 1 .* => 300 \S+ \S+ \d{10} 10800 3600 604800 300$/
      )
      assert.deepEqual(lines, [
        `gone.deep.${name} TXT: 300 "text" => -`,
        `new.${name} MX: - => 120 5 mail.${name}`,
        `www.${name} A: 300 192.0.2.1 => 60 192.0.2.7`,
      ])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })
  })
}
