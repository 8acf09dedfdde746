import { test } from '@japa/runner'
import fc from 'fast-check'
import { parseStrings, printReadable, printStrings } from '#dns/rdata/character_strings'
import { canonicalRecord, presentContent, recordTypes } from '#dns/records/registry'
import { parseSoa, printSoa } from '#dns/rdata/soa'
import { parseZoneFile, writeZoneFile } from '#dns/zonefile/index'
import { hostileBytes, hostileText, name, near } from '#tests/unit/dns/support/hostile_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { RECORD_TABLES } from '#tests/unit/dns/support/record_tables'
import { taken } from '#tests/unit/dns/support/unless_refused'
import { APEX } from '#tests/unit/dns/support/zones'

const TYPES = recordTypes().map(({ type }) => type)
/** Types whose displayed content differs from the stored content. */
const SHOWN = TYPES.filter((type) =>
  RECORD_TABLES[type].canonical.some((content) => presentContent(type, content) !== content)
)

/** Generates rows of a type's tables, rows with hostile text inside, and hostile text. */
function contentOf(type: string): fc.Arbitrary<string> {
  const { canonical, accepted } = RECORD_TABLES[type]
  const known = [...canonical, ...accepted.map(([given]) => given)].filter((it) => it.length < 200)
  if (known.length === 0) return hostileText
  return fc.oneof(fc.constantFrom(...known), fc.constantFrom(...known).chain(near), hostileText)
}

function ownerOf(type: string): string {
  return RECORD_TABLES[type].name ?? `www.${APEX}`
}

function store(type: string, content: string): string {
  const priority = RECORD_TABLES[type].priority ?? 0
  const record = { type, content, priority, disabled: false, name: ownerOf(type), apex: APEX }
  return canonicalRecord(record).content
}

/** Returns the content of one record after a write to a zone file and a read, or the problem. */
function fromFile(type: string, content: string): string | undefined {
  const records = [{ content, priority: RECORD_TABLES[type].priority ?? 0, disabled: false }]
  const rrsets = [{ name: ownerOf(type), type, ttl: 5, records }]
  const file = [...writeZoneFile({ apex: APEX, rrsets })].join('')
  const zone = parseZoneFile(file, { origin: APEX })
  return zone.problems[0]?.message ?? zone.records[0]?.record.content
}

const hex = (strings: Uint8Array[]) =>
  strings.map((bytes) => Buffer.from(bytes).toString('hex')).join(' ')

test.group('properties of contents', () => {
  test('{$self}: a canonical content is stable, for display and in a zone file')
    .with(TYPES)
    .run(({ assert }, type) => {
      const law = fc.property(contentOf(type), (content) => {
        const stored = taken(() => store(type, content))
        if (stored === undefined) return
        assert.match(stored, /^[ -~]+$/)
        assert.equal(store(type, stored), stored)
        assert.equal(store(type, presentContent(type, stored)), stored)
        assert.equal(fromFile(type, stored), stored)
      })
      fc.assert(law, LAW_RUNS)
    })

  test('displaying any text does not throw', ({ assert }) => {
    const law = fc.property(hostileText, (text) => {
      for (const type of SHOWN) assert.isString(presentContent(type, text))
    })
    fc.assert(law, LAW_RUNS)
  })

  test('TXT: displayed strings parse to the stored strings', ({ assert }) => {
    const strings = fc.array(hostileBytes(), { minLength: 1, maxLength: 4 })
    const law = fc.property(strings, (given) => {
      const content = printStrings(given)
      assert.equal(store('TXT', content), content)
      assert.equal(store('TXT', presentContent('TXT', content)), content)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('TXT: the displayed string survives trimming', ({ assert }) => {
    const law = fc.property(hostileBytes(), (bytes) => {
      const shown = presentContent('TXT', printStrings([bytes]))
      assert.equal(shown.trim(), shown)
      assert.isNotEmpty(shown)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('strings: parsing the printed text gives the same strings', ({ assert }) => {
    const law = fc.property(fc.array(hostileBytes(), { maxLength: 4 }), (strings) => {
      const readable = strings.map((bytes) => `"${printReadable(bytes)}"`).join(' ')
      assert.equal(hex(parseStrings(printStrings(strings))), hex(strings))
      assert.equal(hex(parseStrings(readable)), hex(strings))
    })
    fc.assert(law, LAW_RUNS)
  })

  test('SOA: parsing the printed text gives the same record', ({ assert }) => {
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
    fc.assert(law, LAW_RUNS)
  })
})
