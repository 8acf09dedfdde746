import { test } from '@japa/runner'
import { RULES, zoneRules } from '#dns/rules'
import type { RRset } from '#dns/types'
import { Random } from '#tests/support/random'
import { APEX, APEX_SETS, type Short, SOA, ZONES, zoneOf } from './tables/zone_rule_tables.js'
import { withOneSource } from './support/zones.js'
import { cpuMs } from '#tests/support/cpu_time'

const broken = (sets: Short[]) =>
  withOneSource(zoneRules(APEX, zoneOf(sets))).map(
    ({ rule, name, type }) => `${rule} ${name.slice(0, -APEX.length - 1) || '@'} ${type}`
  )

test.group('rules of a zone', () => {
  for (const [what, sets, rules] of ZONES) {
    test(`${what}: ${rules.join(', ') || 'nothing'}`, ({ assert }) => {
      const hasNs = sets.some(([owner, type]) => owner === '@' && type === 'NS')
      assert.deepEqual(broken([...(hasNs ? [SOA] : APEX_SETS), ...sets]), rules)
    })
  }

  test('a zone requires an SOA record and name servers', ({ assert }) => {
    assert.deepEqual(broken([]), ['apex-ns @ NS', 'soa-single @ SOA'])
    assert.deepEqual(broken([SOA, ['@', 'NS', '-ns1.example.net']]), ['apex-ns @ NS'])
  })

  test('an alias as a target is a warning in another zone, and an error in this zone', ({
    assert,
  }) => {
    for (const type of ['MX', 'NS', 'SRV', 'PTR']) {
      const owner = '_a._tcp'
      const target = type === 'SRV' ? '1 1 ' : ''
      const sets = zoneOf([...APEX_SETS, [owner, type, `${target}a.test`, `${target}b.test`]])
      const [found, ...others] = zoneRules(APEX, sets, new Set(['a.test']))
      assert.lengthOf(others, 0)
      assert.deepInclude(found, {
        rule: `${type.toLowerCase()}-target-alias`,
        severity: 'warning',
        type,
        target: 'a.test',
      })
      const inside = zoneOf([...APEX_SETS, [owner, type, `${target}a.$`], ['a', 'CNAME', 'x.test']])
      const [own] = zoneRules(APEX, inside)
      assert.equal(own.severity, type === 'PTR' ? 'warning' : 'error')
    }
  })

  test('a violation has the owner name, the message and its source', ({ assert }) => {
    const [found] = zoneRules(
      APEX,
      zoneOf([...APEX_SETS, ['sub', 'NS', 'x.test'], ['a.sub', 'TXT', '"x"']])
    )
    assert.deepEqual(found, {
      rule: 'occluded',
      severity: 'warning',
      name: 'a.sub.example.org',
      type: 'TXT',
      message:
        'a.sub.example.org TXT: it is not served, because sub.example.org is delegated to other name servers (RFC 5936, 3.5)',
    })
  })

  test('every state breaks the same rules in any order', ({ assert }) => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= 400; seed++) {
      const random = new Random(seed)
      const sets = randomZone(random)
      const found = zoneRules(APEX, sets)
      found.forEach(({ rule }) => seen.add(rule))
      const mixed = shuffled(random, sets).map((set) => ({
        ...set,
        records: shuffled(random, set.records),
      }))
      assert.deepEqual(zoneRules(APEX, mixed), found, `seed ${seed}`)
      const known = new Map(RULES.map((rule) => [rule.id, rule]))
      for (const { rule, severity } of found) {
        assert.equal(severity, known.get(rule)?.severity)
      }
    }
    // The property needs zones that break most of the rules.
    assert.isAbove(seen.size, 15)
  })

  test('a zone of 50 000 names is checked in a few seconds', ({ assert }) => {
    const sets = zoneOf(APEX_SETS)
    for (let i = 0; i < 25_000; i++) {
      sets.push(
        ...zoneOf([
          [`d${i}`, 'NS', `ns.d${i}.$`],
          [`ns.d${i}`, 'A', '192.0.2.1'],
        ])
      )
    }
    const ms = cpuMs(() => assert.deepEqual(zoneRules(APEX, sets), []))
    assert.isBelow(ms, 3_000)
  })
})

const OWNERS = ['@', '*', 'a', 'b', 'b.a', 'c.b.a', '*.a', 'ns.a', '_s._tcp']
const CONTENTS: Record<string, string[]> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.1'],
  CNAME: ['a.$', 'b.a.$', 'x.test'],
  DNAME: ['x.test', 'b.$'],
  DS: ['1 13 2 ab'],
  MX: ['a.$', 'b.$', '.', 'c.b.a.$'],
  NS: ['ns.a.$', 'b.$', 'x.test'],
  PTR: ['a.$', 'b.$'],
  SOA: ['a b 1', 'a b 2'],
  SRV: ['1 1 a.$', '1 1 b.$'],
  TXT: ['"v=spf1 -all"', '"v=spf1 mx"', `"${'x'.repeat(300)}"`],
}

function randomZone(random: Random): RRset[] {
  const sets: Short[] = random.chance(0.8) ? [SOA] : []
  for (const owner of OWNERS) {
    for (const [type, contents] of Object.entries(CONTENTS)) {
      const chosen = contents.filter(() => random.chance(0.4))
      if (chosen.length > 0 && random.chance(0.2) && !(owner === '@' && type === 'SOA')) {
        sets.push([owner, type, ...chosen.map((it) => (random.chance(0.2) ? `-${it}` : it))])
      }
    }
  }
  return zoneOf(sets)
}

function shuffled<T>(random: Random, items: T[]): T[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}
