import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import type { RRset } from '#dns/types'
import { Bench, creation, find, freshZoneName, rrset, type DriverUnderTest } from './bench.js'
import { rowsOf } from './rows.js'

/** Write sessions: atomic, serialised, and with stable ids. */
export function registerSessions(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: sessions`, () => {
    test('a failed session changes nothing', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
      const before = await rowsOf(zone.name)
      const name = freshZoneName()
      const failing = bench.locked(zone, async (session, lockedZone) => {
        await session.applyRRsets(lockedZone, [
          creation(rrset(`a.b.${zone.name}`, 'A', ['192.0.2.2'])),
        ])
        const made = await session.createZone({
          name,
          kind: 'NATIVE',
          masters: [],
          account: null,
          metadata: { 'X-A': ['1'] },
        })
        await session.applyRRsets(made, [creation(rrset(`x.${name}`, 'A', ['192.0.2.2']))])
        throw new Error('changed my mind')
      })
      await assert.rejects(() => failing, 'changed my mind')

      assert.sameDeepMembers(await rowsOf(zone.name), before)
      assert.isNull(await bench.backend.findZoneByName(name))
      const answer = await bench.dns.query(`a.b.${zone.name}`, 'A')
      assert.equal(answer.status, 'NXDOMAIN')
    })

    test('two sessions on one zone are serialised', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['count', 'TXT', ['"0"']]])
      const name = `count.${zone.name}`
      const count = (sets: RRset[]) =>
        Number(find(sets, name, 'TXT')!.records[0].content.slice(1, -1))
      const increment = () =>
        bench.locked(zone, async (session, lockedZone) => {
          const sets = await session.rrsetsAt(lockedZone, [name])
          await sleep(5)
          const before = find(sets, name, 'TXT')!
          const records = [{ ...before.records[0], content: `"${count(sets) + 1}"` }]
          await session.applyRRsets(lockedZone, [
            { name, type: 'TXT', before, after: { ...before, records } },
          ])
        })
      await Promise.all(Array.from({ length: 10 }, increment))
      assert.equal(count(await bench.backend.rrsetsAt(zone, [name])), 10)
    })

    test('a second session waits for the first and sees its changes', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const name = `www.${zone.name}`
      const order: string[] = []
      let isLocked = () => {}
      const locked = new Promise<void>((resolve) => (isLocked = resolve))
      const first = bench.locked(zone, async (session, lockedZone) => {
        // The zone is locked by this read at the latest; before it, the work may be repeated.
        await session.rrsetsAt(lockedZone, [name])
        isLocked()
        await sleep(150)
        await session.applyRRsets(lockedZone, [creation(rrset(name, 'A', ['192.0.2.1']))])
        order.push('first writes')
      })
      await locked
      const second = bench.locked(zone, async (session, lockedZone) => {
        const sets = await session.rrsetsAt(lockedZone, [name])
        order.push('second reads')
        return find(sets, name, 'A')?.records.length
      })
      await first
      assert.equal(await second, 1)
      // The work may have been repeated.
      assert.deepEqual([...new Set(order)], ['first writes', 'second reads'])
    })

    test('sessions that lock several zones in any order do not deadlock', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zones = [await bench.zone(), await bench.zone(), await bench.zone()]
      const ids = zones.map((zone) => zone.id)
      const write = (order: number[], label: string) =>
        bench.backend.write(async (session) => {
          const locked = await session.lockZones(order)
          for (const zone of locked.values()) {
            const set = rrset(`${label}.${zone.name}`, 'A', ['192.0.2.1'])
            await session.applyRRsets(zone, [creation(set)])
          }
        })
      await Promise.all(
        Array.from({ length: 9 }, (_, i) => {
          const turn = i % 3
          return write([...ids.slice(turn), ...ids.slice(0, turn)].reverse(), `w${i}`)
        })
      )
      for (const zone of zones) {
        const total = await bench.count(zone, 'A')
        assert.equal(total, 9)
      }
    })

    test('deleted zones are not locked', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const zones = await bench.backend.write((session) => session.lockZones([2147483600, zone.id]))
      assert.deepEqual([...zones], [[zone.id, zone]])
    })

    test('an id stays when its record changes', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['www', 'A', ['192.0.2.1', '192.0.2.2']]])
      const name = `www.${zone.name}`
      const before = (await bench.stored(zone, name, 'A'))!
      const [first, second] = before.records
      const after = rrset(
        name,
        'A',
        [
          { ...first, content: '192.0.2.9' },
          { ...second, disabled: true },
          { content: '192.0.2.3' },
        ],
        60
      )
      const [change] = await bench.locked(zone, (session, lockedZone) =>
        session.applyRRsets(lockedZone, [{ name, type: 'A', before, after }])
      )
      const stored = (await bench.stored(zone, name, 'A'))!
      assert.equal(stored.ttl, 60)
      assert.sameDeepMembers(change.after!.records, stored.records)
      assert.containsSubset(
        stored.records.find((record) => record.id === first.id),
        { content: '192.0.2.9', disabled: false }
      )
      assert.containsSubset(
        stored.records.find((record) => record.id === second.id),
        { content: '192.0.2.2', disabled: true }
      )
      assert.lengthOf(new Set(stored.records.map((record) => record.id)), 3)
      const answer = await bench.dns.query(name, 'A')
      assert.sameMembers(
        answer.answers.map(({ data, ttl }) => `${ttl} ${data}`),
        ['60 192.0.2.9', '60 192.0.2.3']
      )
    })

    test('an id stays when its record gets another name or type', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['old.place', 'A', ['192.0.2.1', '192.0.2.2']]])
      const from = `old.place.${zone.name}`
      const to = `new.spot.${zone.name}`
      const before = (await bench.stored(zone, from, 'A'))!
      const [moved, typed] = before.records
      const changes = await bench.locked(zone, (session, lockedZone) =>
        session.applyRRsets(lockedZone, [
          { name: from, type: 'A', before, after: null },
          creation(rrset(to, 'A', [moved])),
          creation(rrset(from, 'TXT', [{ ...typed, content: '"text"' }])),
        ])
      )
      assert.equal(
        find(changes.map(({ after }) => after!).filter(Boolean), to, 'A')!.records[0].id,
        moved.id
      )
      assert.containsSubset(await bench.backend.findRecord(zone, moved.id!), {
        name: to,
        type: 'A',
      })
      assert.containsSubset(await bench.backend.findRecord(zone, typed.id!), {
        name: from,
        type: 'TXT',
        content: '"text"',
      })
      const [a, txt, empty] = [
        await bench.dns.query(to, 'A'),
        await bench.dns.query(from, 'TXT'),
        await bench.dns.query(`spot.${zone.name}`, 'A'),
      ]
      assert.equal(a.answers[0].data, '192.0.2.1')
      assert.equal(txt.answers[0].data, '"text"')
      assert.deepEqual([empty.status, empty.answers], ['NOERROR', []])
    })
  })
}
