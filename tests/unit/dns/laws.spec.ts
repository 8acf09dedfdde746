import { test } from '@japa/runner'
import fc from 'fast-check'
import { ipv4, ipv6, parsePrimary, reverseName } from '#dns/addresses'
import { applyChanges, diffRRsets, operationsOf, sameRRset } from '#dns/diff'
import { InvalidDns } from '#dns/errors'
import { isReverseZone, isWithin, ownerName, relativeName, zoneName } from '#dns/names'
import { parseStrings, printReadable, printStrings } from '#dns/rdata_text'
import { canonicalRecord, presentContent, recordTypes } from '#dns/records/registry'
import { nextSerial, serialIsNewer } from '#dns/serial'
import { parseSoa, printSoa } from '#dns/soa'
import type { RRset } from '#dns/types'
import { RECORD_TABLES } from './record_tables.js'

const RUNS = { numRuns: 1000 }
const HOSTILE = ['"', '\\', ';', ' ', '\t', '\u0000', '\u007f', '\u0085', '0', '9', '.', '@', '-']
const FOREIGN = [
  'ä',
  '日',
  '🦊',
  '\u00a0',
  '\ufeff',
  '\u202e',
  '\ud800',
  '_',
  '*',
  '/',
  '%',
  'a',
  'Z',
]
const TYPES = recordTypes().map(({ type }) => type)

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE, ...FOREIGN), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''))
const hostileBytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  hostileText.map((text) => new TextEncoder().encode(text).subarray(0, 255))
)
const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,20}[a-z0-9_])?$/)
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'))

const near = (given: string) =>
  fc.tuple(fc.nat(given.length), fc.nat(2), hostileText).map(([at, cut, text]) => {
    return given.slice(0, at) + text + given.slice(at + cut)
  })
const contentOf = (type: string) => {
  const { canonical, accepted } = RECORD_TABLES[type]
  const known = [...canonical, ...accepted.map(([given]) => given)].filter((it) => it.length < 200)
  if (known.length === 0) return hostileText
  return fc.oneof(fc.constantFrom(...known), fc.constantFrom(...known).chain(near), hostileText)
}

function store(type: string, content: string): string {
  const owner = RECORD_TABLES[type].name ?? 'www.example.org'
  const more = {
    priority: RECORD_TABLES[type].priority ?? 0,
    disabled: false,
    name: owner,
    apex: 'example.org',
  }
  return canonicalRecord({ type, content, ...more }).content
}

/** The result, or undefined when the input was refused as it should be: with InvalidDns. */
function taken<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidDns) return undefined
    throw error
  }
}

test.group('laws of contents', () => {
  test('{$self}: canonical of canonical is canonical, and what is shown leads back')
    .with(TYPES)
    .run(({ assert }, type) => {
      const law = fc.property(contentOf(type), (content) => {
        const stored = taken(() => store(type, content))
        if (stored === undefined) return
        assert.match(stored, /^[ -~]+$/)
        assert.equal(store(type, stored), stored)
        assert.equal(store(type, presentContent(type, stored)), stored)
      })
      fc.assert(law, RUNS)
    })

  test('{$self}: what is shown of any text does not throw')
    .with(TYPES)
    .run(({ assert }, type) => {
      const law = fc.property(hostileText, (text) => {
        assert.isString(presentContent(type, text))
      })
      fc.assert(law, RUNS)
    })

  test('TXT: any strings can be stored, shown and read back', ({ assert }) => {
    const law = fc.property(fc.array(hostileBytes, { minLength: 1, maxLength: 4 }), (strings) => {
      const content = printStrings(strings)
      assert.equal(store('TXT', content), content)
      assert.equal(store('TXT', presentContent('TXT', content)), content)
    })
    fc.assert(law, RUNS)
  })

  test('TXT: what is shown of a string survives trimming', ({ assert }) => {
    const law = fc.property(hostileBytes, (bytes) => {
      const shown = presentContent('TXT', printStrings([bytes]))
      assert.equal(shown.trim(), shown)
      assert.isNotEmpty(shown)
    })
    fc.assert(law, RUNS)
  })

  test('strings: parse of print is the same', ({ assert }) => {
    const law = fc.property(fc.array(hostileBytes), (strings) => {
      const same = (parsed: Uint8Array[]) =>
        assert.deepEqual(
          parsed.map((it) => Array.from(it)),
          strings.map((it) => Array.from(it))
        )
      same(parseStrings(printStrings(strings)))
      same(parseStrings(strings.map((bytes) => `"${printReadable(bytes)}"`).join(' ')))
    })
    fc.assert(law, RUNS)
  })

  test('SOA: parse of print is the same', ({ assert }) => {
    const timer = fc.nat(2147483647)
    const local = fc.stringMatching(/^[a-z0-9+_-]{1,10}(\.[a-z0-9+_-]{1,10}){0,3}$/)
    const law = fc.property(
      fc.record({
        mname: name.map((it) => `${it}.example`),
        rname: fc.tuple(local, name).map(([user, it]) => `${user.replaceAll('.', '\\.')}.${it}.x`),
        serial: fc.nat(4294967295),
        refresh: timer,
        retry: timer,
        expire: timer,
        minimum: timer,
      }),
      (soa) => {
        assert.deepEqual(parseSoa(printSoa(soa)), soa)
      }
    )
    fc.assert(law, RUNS)
  })
})

test.group('laws of names', () => {
  test('canonical of canonical is canonical, and plain ASCII', ({ assert }) => {
    const law = fc.property(fc.oneof(hostileText, fc.domain(), name.chain(near)), (text) => {
      const zone = taken(() => zoneName(text))
      if (zone !== undefined) {
        assert.match(zone, /^[a-z0-9_.\/-]{1,253}$/)
        assert.equal(zoneName(zone), zone)
      }
      const owner = taken(() => ownerName(text, 'example.org'))
      if (owner !== undefined) {
        assert.match(owner, /^[a-z0-9_.*-]{1,253}$/)
        assert.isTrue(isWithin(owner, 'example.org'))
        assert.equal(ownerName(owner, 'example.org'), owner)
        assert.equal(ownerName(`${owner}.`, 'example.org'), owner)
      }
    })
    fc.assert(law, RUNS)
  })

  test('a name seen from the apex is the same name', ({ assert }) => {
    const law = fc.property(name, name, (relative, zone) => {
      const apex = `${zone}.example`
      const owner = ownerName(`${relative}.${apex}.`, apex)
      fc.pre(!isWithin(relative, apex))
      assert.equal(relativeName(owner, apex), relative)
      assert.equal(ownerName(relativeName(owner, apex), apex), owner)
    })
    fc.assert(law, RUNS)
  })
})

test.group('laws of addresses', () => {
  test('an address has one form and one reverse name', ({ assert }) => {
    const law = fc.property(
      fc.ipV4(),
      fc.ipV6(),
      fc.integer({ min: 1, max: 65535 }),
      (v4, v6, port) => {
        const short = ipv6(v6)
        assert.equal(ipv4(v4), v4)
        assert.equal(ipv6(short), short)
        assert.equal(reverseName(short), reverseName(v6))
        assert.isTrue(isReverseZone(zoneName(reverseName(v6))))
        assert.equal(parsePrimary(short), short)
        assert.equal(parsePrimary(`[${v6}]:${port}`), `[${short}]:${port}`)
        assert.equal(parsePrimary(`${v4}:${port}`), `${v4}:${port}`)
      }
    )
    fc.assert(law, RUNS)
  })

  test('an IPv6 address is written as the URL standard writes it', ({ assert }) => {
    const law = fc.property(fc.ipV6(), (v6) => {
      const short = ipv6(v6)
      fc.pre(!short.includes('.'))
      assert.equal(`[${short}]`, new URL(`http://[${v6}]/`).hostname)
    })
    fc.assert(law, RUNS)
  })
})

test.group('laws of serials', () => {
  test('a serial never goes back, but from 1979999999', ({ assert }) => {
    const instant = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2199-12-31'),
      noInvalidDate: true,
    })
    const serial = fc.oneof(
      fc.integer({ min: 1, max: 4294967295 }),
      fc.integer({ min: 1980000000, max: 2200000000 }),
      fc.integer({ min: 19800000, max: 42949672 }).map((date) => date * 100 + 95)
    )
    const law = fc.property(serial, instant, fc.nat(10), (start, date, steps) => {
      const today = {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      }
      let current = start
      for (let step = 0; step <= steps && current !== 1979999999; step++) {
        const next = nextSerial(current, today)
        assert.isTrue(serialIsNewer(next, current), `${current} -> ${next}`)
        assert.isAtMost(next, 4294967295)
        current = next
      }
    })
    fc.assert(law, RUNS)
  })
})

test.group('laws of changes', () => {
  const record = fc.record(
    {
      id: fc.oneof(fc.nat(5), fc.constantFrom('x', 'y')),
      content: fc.oneof(fc.constantFrom('a', 'b', '1 a', 'false a'), hostileText),
      priority: fc.nat(2),
      disabled: fc.boolean(),
    },
    { requiredKeys: ['content', 'priority', 'disabled'] }
  )
  const rrset = fc.record({
    name: fc.constantFrom('a.example.org', 'b.example.org', 'example.org'),
    type: fc.constantFrom('A', 'TXT', 'MX'),
    ttl: fc.constantFrom(0, 60, 300),
    records: fc.array(record, { minLength: 1, maxLength: 4 }),
  })
  const state = fc.uniqueArray(rrset, { selector: (it) => `${it.name} ${it.type}`, maxLength: 6 })
  const same = (one: RRset[], other: RRset[]) =>
    one.length === other.length && one.every((it) => other.some((that) => sameRRset(it, that)))

  test('applying the diff of a and b to a gives b', ({ assert }) => {
    const law = fc.property(state, state, (a, b) => {
      const result = applyChanges(a, diffRRsets(a, b))
      assert.isTrue(same(result, b))
      assert.deepEqual(diffRRsets(result, b), [])
    })
    fc.assert(law, RUNS)
  })

  test('nothing changes between a state and itself', ({ assert }) => {
    const law = fc.property(state, (a) => {
      assert.deepEqual(diffRRsets(a, a), [])
    })
    fc.assert(law, RUNS)
  })

  test('every change of a diff is some operation, and its undoing the opposite', ({ assert }) => {
    const withoutIds = state.map((rrsets) =>
      rrsets.map((it) => ({ ...it, records: it.records.map(({ id: _, ...rest }) => rest) }))
    )
    const opposite = { create: 'delete', update: 'update', delete: 'create' } as const
    const law = fc.property(withoutIds, withoutIds, (a, b) => {
      for (const change of diffRRsets(a, b)) {
        const operations = operationsOf(change)
        const undone = operationsOf({ ...change, before: change.after, after: change.before })
        assert.isNotEmpty(operations)
        assert.sameMembers(
          undone,
          operations.map((operation) => opposite[operation])
        )
      }
    })
    fc.assert(law, RUNS)
  })
})
