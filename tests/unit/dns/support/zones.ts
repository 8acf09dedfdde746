import fc from 'fast-check'
import { printStrings } from '#dns/rdata/character_strings'
import { canonicalRecord, recordType, recordTypes } from '#dns/records/registry'
import { hostileBytes } from '#tests/unit/dns/support/hostile_text'
import { RECORD_TABLES } from '#tests/unit/dns/support/record_tables'
import { taken } from '#tests/unit/dns/support/unless_refused'
import type { RRset } from '#dns/types'

/** The apex of the zones here and in the tables. */
export const APEX = 'example.org'

const TTL_LIMIT = 2 ** 31 - 1
/** Longer contents make comparisons slow without testing more. */
const LONG = 2000
/** Labels with a special meaning in zone files, and plain ones. */
const LABELS = [
  'in',
  '300',
  '1h',
  'txt',
  'ch',
  'type1',
  'class1',
  'x',
  'x9',
  '_x',
  'y-z',
  'xn--9ca',
  // Escaped as PowerDNS stores octets with a meaning in zone files.
  ...Array.from(';()"$@,=\'!#', (sign) => `a${sign}b`),
  ';disabled',
  '"',
  'a\\.b',
  'a\\\\b',
  'a\\032b',
  'a\\255',
]
const RELATIVE = ['', '*', '*.x', APEX, `x.${APEX}`, 'a.in', ...LABELS]

/** All types with a content. */
export const STORED_TYPES = recordTypes()
  .map(({ type }) => type)
  .filter((type) => RECORD_TABLES[type]?.canonical.length > 0)

const ttl = fc.oneof(fc.constantFrom(0, 300, TTL_LIMIT), fc.nat(TTL_LIMIT))
const owner = fc.constantFrom(...RELATIVE)

/** Generates an RRset of a type: rows of its table of canonical contents, some of them disabled. */
function ofTable(type: string): fc.Arbitrary<RRset> {
  const contents = RECORD_TABLES[type].canonical.filter(({ length }) => length < LONG)
  const drawn = fc.record({
    owner,
    ttl,
    contents: fc.subarray(contents, { minLength: 1, maxLength: type === 'SOA' ? 1 : 3 }),
    disabled: fc.nat(7),
    priority: fc.nat(65535),
  })
  return drawn.map((it) => {
    const name = ownerOf(type, it.owner)
    const records = it.contents.map((content, at) => ({
      content,
      priority: priorityOf(type, content, it.priority),
      disabled: type !== 'SOA' && ((it.disabled >> at) & 1) === 1,
    }))
    return { name, type, ttl: it.ttl, records }
  })
}

/** Returns the owner name with the first labels that the type requires, such as those of SRV. */
function ownerOf(type: string, relative: string): string {
  if (type === 'SOA') return APEX
  const special = (RECORD_TABLES[type].name ?? '').split('.')
  const labels = special.filter((label) => label.startsWith('_'))
  const rest = labels.length > 0 ? relative.replace('*', 'w') : relative
  return [...labels, rest, APEX].filter(Boolean).join('.')
}

/** Returns the generated priority if the type has one. */
function priorityOf(type: string, content: string, drawn: number): number {
  const usual = RECORD_TABLES[type].priority ?? 0
  if (!recordType(type)!.priority) return usual
  const more = { disabled: false, name: ownerOf(type, 'x'), apex: APEX }
  const record = taken(() => canonicalRecord({ type, content, priority: drawn, ...more }))
  return record?.priority ?? usual
}

const strings = fc.oneof(
  { weight: 4, arbitrary: fc.array(hostileBytes(), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: hostileBytes(4000).map((bytes) => [bytes]) }
)

/** A TXT RRset of arbitrary strings. `twin` adds the first one again, disabled. */
const ofStrings: fc.Arbitrary<RRset> = fc
  .record({
    owner,
    ttl,
    contents: fc.uniqueArray(strings.map(printStrings), { minLength: 1, maxLength: 3 }),
    twin: fc.boolean(),
  })
  .map(({ contents, twin, ...it }) => ({
    name: ownerOf('TXT', it.owner),
    type: 'TXT',
    ttl: it.ttl,
    records: [...contents, ...(twin ? [contents[0]] : [])].map((content, at) => ({
      content,
      priority: 0,
      disabled: at >= contents.length,
    })),
  }))

/** A zone of a few RRsets of any type. */
export const zone: fc.Arbitrary<RRset[]> = fc.uniqueArray(
  fc.oneof(
    { weight: 1, arbitrary: ofStrings },
    { weight: 4, arbitrary: fc.oneof(...STORED_TYPES.map(ofTable)) }
  ),
  { maxLength: 8, selector: ({ name, type }) => `${name} ${type}` }
)

/** Removes the source at the end of each violation. Throws if a violation does not name exactly one source. */
export function withOneSource<V extends { rule: string; message: string }>(violations: V[]): V[] {
  for (const { rule, message } of violations) {
    const sources = message.match(/RFC \d+/g) ?? []
    if (sources.length !== 1 || !/ \(RFC \d+(, [\d.]+)*( and [\d.]+)?\)$/.test(message)) {
      throw new Error(`${rule} does not name one source at the end: ${message}`)
    }
  }
  return violations
}
