import { test } from '@japa/runner'
import { ZoneExists } from '#backends/contract/errors'
import { Bench, creation, freshZoneName, rrset, type DriverUnderTest } from './bench.js'
import { rowsOf } from './rows.js'

/** Whole zones: creation, lookup, change, renaming, deletion. */
export function registerZones(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: zones`, () => {
    test('a created zone is found by id and name, and answers its SOA', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([], { kind: 'MASTER', account: 'ops' })

      assert.deepEqual(await bench.backend.findZone(zone.id), zone)
      assert.deepEqual(await bench.backend.findZoneByName(zone.name), zone)
      assert.containsSubset(zone, { kind: 'MASTER', account: 'ops', masters: [] })

      const answer = await bench.dns.query(zone.name, 'SOA')
      assert.equal(answer.status, 'NOERROR')
      assert.include(answer.flags, 'aa')
      assert.equal(
        answer.answers[0].data,
        `ns1.${zone.name}. hostmaster.${zone.name}. 1 10800 3600 604800 300`
      )
    })

    test('a missing zone is null', async ({ assert }) => {
      const bench = await Bench.of(driver)
      assert.isNull(await bench.backend.findZone(2147483600))
      assert.isNull(await bench.backend.findZoneByName(freshZoneName()))
    })

    test('a secondary keeps its primaries', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const masters = ['192.0.2.1', '192.0.2.2:5300', '[2001:db8::1]:5300']
      const zone = await bench.zone([], { kind: 'SLAVE', masters })
      const found = await bench.backend.findZone(zone.id)
      assert.deepEqual(found?.masters, masters)
      assert.equal(found?.kind, 'SLAVE')
    })

    test('a taken name is refused in any letter case, and nothing is written', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const before = await rowsOf(zone.name)
      await assert.rejects(() => bench.zone([], { name: zone.name }), ZoneExists)
      assert.sameDeepMembers(await rowsOf(zone.name), before)
    })

    test('given properties change, and absent ones stay', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([], { account: 'ops' })
      const changed = await bench.locked(zone, (session, current) =>
        session.updateZone(current, { kind: 'SLAVE', masters: ['192.0.2.9'] })
      )
      assert.deepEqual(changed, { ...zone, kind: 'SLAVE', masters: ['192.0.2.9'] })
      assert.deepEqual(await bench.backend.findZone(zone.id), changed)
    })

    test('PowerDNS reads the metadata of a new zone', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const metadata = { 'ALLOW-AXFR-FROM': ['192.0.2.0/24', '2001:db8::/32'], 'X-NOTE': ['one'] }
      const zone = await bench.zone([], { metadata })
      const printed = await bench.dns.util('get-meta', zone.name, 'ALLOW-AXFR-FROM')
      assert.include(printed, '192.0.2.0/24')
      assert.include(printed, '2001:db8::/32')
      const belongings = await bench.locked(zone, (session, current) =>
        session.nonRecordData(current)
      )
      assert.sameMembers(belongings.metadata['ALLOW-AXFR-FROM'], metadata['ALLOW-AXFR-FROM'])
      assert.deepEqual(belongings.metadata['X-NOTE'], ['one'])
    })

    test('a deleted zone is removed from the backend and from DNS, and others stay', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['a.b', 'A', ['192.0.2.1']]], { metadata: { 'X-A': ['1'] } })
      const otherZone = await bench.zone([['a.b', 'A', ['192.0.2.1']]])
      const rowsOfOther = await rowsOf(otherZone.name)
      await bench.locked(zone, (session, current) => session.deleteZone(current))

      assert.isNull(await bench.backend.findZone(zone.id))
      assert.isNull(await bench.backend.findZoneByName(zone.name))
      assert.deepEqual(await rowsOf(zone.name), [])
      const answer = await bench.dns.query(`a.b.${zone.name}`, 'A')
      assert.equal(answer.status, 'REFUSED')
      assert.sameDeepMembers(await rowsOf(otherZone.name), rowsOfOther)

      const reborn = await bench.zone([], { name: zone.name })
      const belongings = await bench.locked(reborn, (session, lockedZone) =>
        session.nonRecordData(lockedZone)
      )
      assert.deepEqual(belongings, { metadata: {}, comments: [] })
      const total = await bench.count(reborn)
      assert.equal(total, 2)
    })

    if (driver.writesRows) registerRenames(driver)

    test('a child zone and its parent are independent', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const parent = await bench.zone([['www', 'A', ['192.0.2.1']]])
      const child = await bench.zone([['www', 'A', ['192.0.2.2']]], { name: `sub.${parent.name}` })
      const rowsOfParent = await rowsOf(parent.name)
      await bench.put(child, rrset(`a.b.${child.name}`, 'A', ['192.0.2.3']))
      assert.sameDeepMembers(await rowsOf(parent.name), rowsOfParent)

      const rowsOfChild = await rowsOf(child.name)
      await bench.backend.write(async (session) => {
        const zones = await session.lockZones([parent.id])
        await session.applyRRsets(zones.get(parent.id)!, [
          creation(rrset(child.name, 'NS', [`ns1.${child.name}`])),
        ])
      })
      assert.sameDeepMembers(await rowsOf(child.name), rowsOfChild)
      const www = await bench.dns.query(`www.${child.name}`, 'A')
      assert.equal(www.answers[0].data, '192.0.2.2')
    })
  })
}

/** Renaming of zones. */
function registerRenames(driver: DriverUnderTest): void {
  test('a renamed zone moves with all of its names', async ({ assert }) => {
    const bench = await Bench.of(driver)
    const zone = await bench.zone([
      ['www', 'A', ['192.0.2.1']],
      ['deep.empty', 'A', ['192.0.2.2']],
      ['*.w', 'TXT', ['"wild"']],
      ['off', 'A', [{ content: '192.0.2.3', disabled: true }]],
    ])
    const name = freshZoneName()
    const before = await bench.records(zone)
    const renamed = await bench.locked(zone, (session, lockedZone) =>
      session.renameZone(lockedZone, name)
    )

    assert.deepEqual(renamed, { ...zone, name })
    assert.isNull(await bench.backend.findZoneByName(zone.name))
    const after = await bench.records(renamed)
    assert.sameMembers(
      after.map((record) => `${record.id} ${record.name}`),
      before.map((record) => {
        const owner = record.name.slice(0, -zone.name.length)
        return `${record.id} ${owner}${name}`
      })
    )
    const www = await bench.dns.query(`www.${name}`, 'A')
    assert.equal(www.answers[0].data, '192.0.2.1')
    const wild = await bench.dns.query(`x.w.${name}`, 'TXT')
    assert.equal(wild.answers[0].data, '"wild"')
    const empty = await bench.dns.query(`empty.${name}`, 'A')
    assert.deepEqual([empty.status, empty.answers], ['NOERROR', []])
    const old = await bench.dns.query(`www.${zone.name}`, 'A')
    assert.equal(old.status, 'REFUSED')
  })

  test('a zone is not renamed to a taken name', async ({ assert }) => {
    const bench = await Bench.of(driver)
    const zone = await bench.zone()
    const otherZone = await bench.zone()
    await assert.rejects(
      () =>
        bench.locked(zone, (session, lockedZone) => session.renameZone(lockedZone, otherZone.name)),
      ZoneExists
    )
    assert.deepEqual(await bench.backend.findZone(zone.id), zone)
    assert.lengthOf(await rowsOf(zone.name), 2)
  })
}
