import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { BackendZone } from '#backends/contract/backend'
import { Bench, freshZoneName, rrset, type DriverUnderTest } from './bench.js'
import { insertRow, nsupdate, rowsAt, told } from './outsiders.js'
import { raw } from './raw.js'

/** Makes a zone as another tool does, with this id. */
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

/** The number of notes that the zone has. */
async function countSnapshots(zone: BackendZone): Promise<number> {
  const [row] = await db.from('zw_record_snapshots').where('zone_id', zone.id).count('* as total')
  return Number(row.total)
}

let lastId = 1_500_000_000

/** Outside changes of whole zones, and those of PowerDNS' own tools. */
export function registerOutsideZones(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: outside changes of zones`, () => {
    test('a zone of another tool is taken note of as it stands', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      assert.isTrue(await bench.backend.hasOutsideChanges(zone))
      assert.deepEqual(await told(bench, zone, [`www.${zone.name}`]), [])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
      await insertRow(zone, `new.${zone.name}`)
      assert.deepEqual(await told(bench, zone), [`new.${zone.name} A: - => 300 192.0.2.1`])
    })

    test('a write into an unknown zone leaves it unknown, whole', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      await bench.put(zone, rrset(`own.${zone.name}`, 'A', ['192.0.2.1']))
      assert.isTrue(await bench.backend.hasOutsideChanges(zone))
      assert.deepEqual(await told(bench, zone), [])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('another zone under the id of a dead one is a new zone', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      await told(bench, zone)
      await deleteZone(zone)
      const other = await insertZone(zone.id, freshZoneName())
      assert.isTrue(await bench.backend.hasOutsideChanges(other))
      assert.deepEqual(await told(bench, other), [])
      assert.isFalse(await bench.backend.hasOutsideChanges(other))
    })

    test('a zone made anew under its id and name is told as changed', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await insertZone((lastId += 1), freshZoneName())
      await insertRow(zone, `old.${zone.name}`)
      await told(bench, zone)
      await deleteZone(zone)
      await insertZone(zone.id, zone.name)
      assert.deepEqual(await told(bench, zone), [`old.${zone.name} A: 300 192.0.2.1 => -`])
    })

    test('a deleted zone leaves no notes', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
      assert.equal(await countSnapshots(zone), 3)
      await bench.locked(zone, (session, it) => session.deleteZone(it))
      assert.equal(await countSnapshots(zone), 0)
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('a new zone is known from its first record on', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['www', 'A', ['192.0.2.1', '192.0.2.1']]])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
      await rowsAt(zone, `www.${zone.name}`).delete()
      assert.deepEqual(await told(bench, zone), [
        `www.${zone.name} A: 300 192.0.2.1, 192.0.2.1 => -`,
      ])
    })

    test('kind, primaries and account are told once, and what is written is not', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const now = async () => (await bench.backend.findZone(zone.id))!
      const taken = async () =>
        bench.locked(await now(), (session, it) => session.takeOutsideProperties(it))
      assert.isNull(await taken())
      const row = () => raw().from('domains').where('name', zone.name)
      await row().update({ type: 'SLAVE', master: '192.0.2.53 ,192.0.2.54', account: 'others' })
      assert.isTrue(await bench.backend.hasOutsideChanges(await now()))
      const { kind, masters, account } = zone
      assert.deepEqual(await taken(), {
        before: { kind, masters, account },
        after: { kind: 'SLAVE', masters: ['192.0.2.53', '192.0.2.54'], account: 'others' },
      })
      assert.isFalse(await bench.backend.hasOutsideChanges(await now()))
      assert.isNull(await taken())
      // Another spelling of the same.
      await row().update({ type: 'Slave', master: '192.0.2.53,192.0.2.54' })
      assert.isNull(await taken())
      await bench.locked(await now(), (session, it) => session.updateZone(it, { account: null }))
      assert.isFalse(await bench.backend.hasOutsideChanges(await now()))
      assert.isNull(await taken())
    })

    test('metadata is told where it is asked for, but what comes with signing', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const taken = async () =>
        bench.locked(zone, (session, it) =>
          session.takeOutsideProperties(it, { withMetadata: true })
        )
      await taken()
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
      const { id } = await raw().from('domains').where('name', zone.name).firstOrFail()
      const add = (kind: string, content: string) =>
        raw().table('domainmetadata').insert({ domain_id: id, kind, content })
      await add('PRESIGNED', '0')
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
      await add('ALSO-NOTIFY', '192.0.2.7')
      assert.isTrue(await bench.backend.hasOutsideChanges(zone))
      assert.isFalse(await bench.backend.hasOutsideChanges(zone, { upTo: 1000 }))
      assert.deepEqual(await taken(), {
        before: { metadata: { 'ALSO-NOTIFY': [] } },
        after: { metadata: { 'ALSO-NOTIFY': ['192.0.2.7'] } },
      })
      const written = { 'ALSO-NOTIFY': ['192.0.2.8'] }
      await bench.locked(zone, (session, it) => session.writeMetadata(it, written))
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('what pdnsutil does is told', async ({ assert }) => {
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
      assert.deepEqual(await told(bench, zone), [
        `www.${name} A: 300 192.0.2.1 => 300 192.0.2.1, 192.0.2.2`,
      ])
      await bench.dns.util('replace-rrset', name, 'mail', 'MX', '60', '20 mx.example.')
      await bench.dns.util('replace-rrset', name, 'kept', 'TXT', '300', '"kept"')
      assert.deepEqual(await told(bench, zone), [
        `mail.${name} MX: 300 10 mx.example => 60 20 mx.example`,
      ])
      await bench.dns.util('increase-serial', name)
      await bench.dns.util('delete-rrset', name, 'www', 'A')
      assert.deepEqual(await told(bench, zone), [
        `www.${name} A: 300 192.0.2.1, 192.0.2.2 => -`,
        `${name} SOA: ${soa(1)} => ${soa(2)}`,
      ])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
      await bench.dns.util('rectify-zone', name)
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('what nsupdate does is told', async ({ assert }) => {
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
      const lines = await told(bench, zone)
      assert.match(
        lines.pop()!,
        /^\S+ SOA: 300 \S+ \S+ 1 .* => 300 \S+ \S+ \d{10} 10800 3600 604800 300$/
      )
      assert.deepEqual(lines, [
        `gone.deep.${name} TXT: 300 "text" => -`,
        `new.${name} MX: - => 120 5 mail.${name}`,
        `www.${name} A: 300 192.0.2.1 => 60 192.0.2.7`,
      ])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })
  })
}
