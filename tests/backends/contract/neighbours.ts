import { test } from '@japa/runner'
import { Bench, rrset, type DriverUnderTest, type Short } from './bench.js'
import { DENIALS, sign } from './signed.js'

const A: Short[] = ['192.0.2.1']

/** Lookups of the record rules: delegations, names below a name, and aliases. */
export function registerNeighbours(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: neighbours`, () => {
    test('delegations and redirections are found among few or many names', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['sub', 'NS', ['ns1.test', 'ns2.test']],
        ['sub', 'DS', [`1 13 2 ${'ab'.repeat(32)}`]],
        ['moved', 'DNAME', ['other.test']],
        ['host', 'A', A],
        ['unasked', 'NS', ['ns1.test']],
      ])
      const nameOf = (label: string) => `${label}.${zone.name}`
      const queriedNames = [nameOf('sub'), nameOf('moved'), nameOf('host'), nameOf('missing')]
      const many = Array.from({ length: 2_500 }, (_, i) => nameOf(`n${i}`))
      for (const names of [queriedNames, [...queriedNames, ...many]]) {
        const sets = await bench.backend.cutsAt(zone, names)
        assert.sameMembers(
          sets.map((set) => `${set.name} ${set.type} ${set.records.length}`),
          [`${nameOf('sub')} NS 2`, `${nameOf('moved')} DNAME 1`]
        )
        const inside = await bench.locked(zone, (session, lockedZone) =>
          session.cutsAt(lockedZone, names)
        )
        assert.sameDeepMembers(inside, sets)
      }
      assert.deepEqual(await bench.backend.cutsAt(zone, []), [])
    })

    test('names below others are found in a zone with {denial}')
      .with([{ denial: 'no signatures', nsec3: undefined }, ...DENIALS])
      .run(async ({ assert }, { nsec3 }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([
          ['a.top', 'A', A],
          ['a.top', 'TXT', ['"x"']],
          ['c.b.top', 'A', A],
          ['top', 'A', A],
          ['atop', 'A', A],
          ['top2', 'A', A],
          ['cut', 'NS', ['ns.test']],
          ['glue.cut', 'A', A],
          ['un_der', 'A', A],
          ['a.unxder', 'A', A],
        ])
        if (nsec3 !== undefined) {
          await sign(bench, zone, nsec3)
        }
        const nameOf = (label: string) => `${label}.${zone.name}`
        const below = async (names: string[], limit = 100) => {
          const found = await bench.backend.namesBelow(zone, names, limit)
          assert.equal(new Set(found).size, found.length)
          return found.sort()
        }
        assert.deepEqual(await below([nameOf('top')]), [nameOf('a.top'), nameOf('c.b.top')])
        assert.deepEqual(await below([nameOf('cut')]), [nameOf('glue.cut')])
        assert.deepEqual(await below([nameOf('un_der')]), [])
        assert.deepEqual(await below([nameOf('cut'), nameOf('b.top')]), [
          nameOf('c.b.top'),
          nameOf('glue.cut'),
        ])
        assert.lengthOf(await below([zone.name]), 9)
        assert.lengthOf(await below([zone.name], 3), 3)
        assert.lengthOf(await below([nameOf('top')], 1), 1)
        assert.deepEqual(await below([]), [])

        const many = Array.from({ length: 500 }, (_, i) => nameOf(`n${i}`))
        assert.deepEqual(await below([...many, nameOf('top')]), [
          nameOf('a.top'),
          nameOf('c.b.top'),
        ])
        assert.lengthOf(await below([...many, nameOf('top')], 1), 1)
      })

    test('aliases of other zones are found by their names', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['own', 'CNAME', ['x.test']]])
      const otherZone = await bench.zone([
        ['alias', 'CNAME', ['x.test']],
        ['host', 'A', A],
        ['off', 'CNAME', [{ content: 'x.test', disabled: true }]],
      ])
      const names = [
        `own.${zone.name}`,
        ...['alias', 'host', 'off', 'missing'].map((label) => `${label}.${otherZone.name}`),
        ...Array.from({ length: 1_200 }, (_, i) => `n${i}.${otherZone.name}`),
      ]
      const found = await bench.backend.aliasesAmong(names, zone.id)
      assert.deepEqual(found, [`alias.${otherZone.name}`])
      const inside = await bench.locked(zone, (session) =>
        session.aliasesAmong(names, otherZone.id)
      )
      assert.deepEqual(inside, [`own.${zone.name}`])
      assert.deepEqual(await bench.backend.aliasesAmong([], zone.id), [])
    })

    test('RRsets that point to hosts are found by one or many targets', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const nameOf = (label: string) => `${label}.${zone.name}`
      await bench.put(
        zone,
        rrset(nameOf('_a._tcp'), 'SRV', [`1 1 ${nameOf('host')}`]),
        rrset(nameOf('_b._tcp'), 'SRV', [`1 1 ${nameOf('xhost')}`]),
        rrset(nameOf('m'), 'MX', [nameOf('host')]),
        rrset(nameOf('n'), 'MX', [nameOf('xhost')])
      )
      const many = Array.from({ length: 700 }, (_, i) => nameOf(`n${i}`))
      for (const targets of [[nameOf('host')], [...many, nameOf('host')]]) {
        const found = await bench.locked(zone, (session, lockedZone) =>
          session.rrsetsPointingTo(lockedZone, ['MX', 'NS', 'SRV'], targets)
        )
        assert.sameMembers(
          found.map((set) => `${set.name} ${set.type}`),
          [`${nameOf('_a._tcp')} SRV`, `${nameOf('m')} MX`]
        )
      }
    })
  })
}
