import { test } from '@japa/runner'
import type { StoredRecord } from '#backends/contract/backend'
import { WHOLE_LIST } from '#lists/query'
import { Bench, find, rrset, type DriverUnderTest } from './bench.js'

const key = (record: StoredRecord) => `${record.type} ${record.name}`

/** Reads: lists and their windows, records by id, RRsets by name and by target. */
export function registerReads(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: reads`, () => {
    test('records are listed by type, name and id, with disabled ones, without empty non-terminals', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['zulu', 'A', ['192.0.2.2', '192.0.2.1']],
        ['alpha', 'TXT', ['"a"']],
        ['deep.mike', 'A', ['192.0.2.3']],
        ['alpha', 'A', [{ content: '192.0.2.4', disabled: true }]],
      ])
      const records = await bench.records(zone)
      assert.lengthOf(records, 7)
      assert.deepEqual(records.map(key), [
        `A alpha.${zone.name}`,
        `A deep.mike.${zone.name}`,
        `A zulu.${zone.name}`,
        `A zulu.${zone.name}`,
        `NS ${zone.name}`,
        `SOA ${zone.name}`,
        `TXT alpha.${zone.name}`,
      ])
      assert.isTrue(records[0].disabled)
      assert.isBelow(Number(records[2].id), Number(records[3].id))
      assert.containsSubset(records[2], { ttl: 300, disabled: false, auth: true })
    })

    test('a window and a type narrow the list, and total counts the matches', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const hosts = Array.from({ length: 12 }, (_, i) => `h${String(i).padStart(2, '0')}`)
      const zone = await bench.zone(hosts.map((host) => [host, 'A', ['192.0.2.1']]))

      const list = (type: string | null, number: number, size: number) =>
        bench.backend.listRecords(zone, {
          ...WHOLE_LIST,
          filters: type === null ? {} : { type },
          page: { number, size, offset: (number - 1) * size },
        })
      const page = await list('a', 3, 3)
      assert.equal(page.total, 12)
      assert.deepEqual(page.rows.map(key), [
        `A h06.${zone.name}`,
        `A h07.${zone.name}`,
        `A h08.${zone.name}`,
      ])
      const all = await list(null, 2, 11)
      assert.equal(all.total, 14)
      assert.deepEqual(all.rows.map(key), [
        `A h11.${zone.name}`,
        `NS ${zone.name}`,
        `SOA ${zone.name}`,
      ])
      assert.deepEqual(await list(null, 6, 10), { rows: [], total: 14, next: null })
      assert.deepEqual(await list('MX', 1, 10), { rows: [], total: 0, next: null })
    })

    test('a record is found by id only in its own zone', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['mail', 'MX', [{ content: 'mx.example', priority: 10 }]]])
      const otherZone = await bench.zone()
      const set = await bench.stored(zone, `mail.${zone.name}`, 'MX')
      const id = set!.records[0].id!

      const record = await bench.backend.findRecord(zone, id)
      assert.containsSubset(record, {
        id,
        name: `mail.${zone.name}`,
        type: 'MX',
        content: 'mx.example',
        priority: 10,
        ttl: 300,
        disabled: false,
        auth: true,
      })
      assert.isNull(await bench.backend.findRecord(otherZone, id))
      assert.isNull(await bench.backend.findRecord(zone, 2147483600))
      assert.isNull(await bench.backend.findRecord(zone, 'no-such-record'))
    })

    test('many records of a zone are found by their ids at once', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const hosts = Array.from({ length: 1_100 }, (_, i) => `h${i}`)
      const zone = await bench.zone(hosts.map((host) => [host, 'A', ['192.0.2.1']]))
      const otherZone = await bench.zone([['www', 'A', ['192.0.2.1']]])
      const records = await bench.records(zone, 'A')
      const ids = records.map(({ id }) => id)
      const foreign = await bench.stored(otherZone, `www.${otherZone.name}`, 'A')
      const strange = [foreign!.records[0].id!, 'no-such-record', 2147483600]
      await bench.locked(zone, async (session, lockedZone) => {
        const found = await session.findRecords(lockedZone, [...ids, String(ids[0]), ...strange])
        assert.sameDeepMembers(found, records)
        assert.deepEqual(await session.findRecords(lockedZone, []), [])
        assert.deepEqual(await session.findRecords(lockedZone, strange), [])
      })
    })

    test('RRsets of several names are read at once, each type separately', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['a', 'A', ['192.0.2.1', '192.0.2.2']],
        ['a', 'TXT', ['"x"'], 60],
        ['x.b', 'A', ['192.0.2.3']],
        ['c', 'A', ['192.0.2.4']],
      ])
      const nameOf = (label: string) => `${label}.${zone.name}`
      const sets = await bench.backend.rrsetsAt(zone, [
        nameOf('a'),
        nameOf('b'),
        nameOf('x.b'),
        nameOf('nope'),
      ])
      assert.sameMembers(
        sets.map((set) => `${set.name} ${set.type} ${set.ttl} ${set.records.length}`),
        [`${nameOf('a')} A 300 2`, `${nameOf('a')} TXT 60 1`, `${nameOf('x.b')} A 300 1`]
      )
      assert.deepEqual(await bench.backend.rrsetsAt(zone, []), [])

      const inside = await bench.locked(zone, (session, lockedZone) =>
        session.rrsetsAt(lockedZone, [nameOf('a'), nameOf('b'), nameOf('x.b'), nameOf('nope')])
      )
      assert.sameDeepMembers(inside, sets)
      const all = await bench.locked(zone, (session, lockedZone) => session.allRRsets(lockedZone))
      assert.lengthOf(all, 6)
    })

    test('RRsets that point to a host are found by their target', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['mail', 'A', ['192.0.2.1']],
        ['xmail', 'A', ['192.0.2.1']],
        ['other', 'NS', ['ns.elsewhere.example']],
      ])
      const nameOf = (label: string) => `${label}.${zone.name}`
      await bench.put(
        zone,
        rrset(nameOf('one'), 'MX', [
          { content: nameOf('mail'), priority: 10 },
          { content: nameOf('xmail'), priority: 20 },
        ]),
        rrset(nameOf('two'), 'MX', [{ content: nameOf('xmail'), priority: 10 }]),
        rrset(nameOf('alias'), 'CNAME', [nameOf('mail')]),
        rrset(nameOf('sub'), 'NS', [nameOf('mail')])
      )
      const found = await bench.locked(zone, (session, lockedZone) =>
        session.rrsetsPointingTo(lockedZone, ['MX', 'NS'], [nameOf('mail')])
      )
      assert.sameMembers(
        found.map((set) => `${set.name} ${set.type}`),
        [`${nameOf('one')} MX`, `${nameOf('sub')} NS`]
      )
      assert.lengthOf(find(found, nameOf('one'), 'MX')!.records, 2)
      const several = await bench.locked(zone, (session, lockedZone) =>
        session.rrsetsPointingTo(
          lockedZone,
          ['CNAME', 'MX', 'NS'],
          [nameOf('mail'), nameOf('xmail')]
        )
      )
      assert.lengthOf(several, 4)
    })

    test('zones that contain a name are returned, except for delegations', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const parent = await bench.zone([['sub.www', 'TXT', ['"in the parent"']]])
      const name = `sub.www.${parent.name}`
      const child = await bench.zone([], { name })
      assert.deepEqual(await bench.backend.zonesWithRecordsAt(name, child.id), [parent.name])
      assert.deepEqual(await bench.backend.zonesWithRecordsAt(name, parent.id), [child.name])
      assert.sameMembers(await bench.backend.zonesWithRecordsAt(name), [parent.name, child.name])

      await bench.remove(parent, [name, 'TXT'])
      await bench.put(parent, rrset(name, 'NS', [`ns1.${name}`]))
      assert.deepEqual(await bench.backend.zonesWithRecordsAt(name, child.id), [])
      assert.deepEqual(await bench.backend.zonesWithRecordsAt(`www.${parent.name}`), [])
    })
  })
}
