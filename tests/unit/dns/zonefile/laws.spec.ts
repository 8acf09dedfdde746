import { test } from '@japa/runner'
import fc from 'fast-check'
import { diffRRsets } from '#dns/diff'
import { printStrings } from '#dns/rdata_text'
import {
  parseZoneFile,
  readZoneText,
  type RecordComment,
  type ZoneFileContents,
} from '#dns/zonefile/index'
import { cleanComment } from '#dns/zonefile/notes'
import type { RecordData, RRset } from '#dns/types'
import { APEX, write } from './helpers.js'

const RUNS = { numRuns: Number(process.env.LAW_RUNS ?? 1000) }
const PARTS = [
  '"',
  '\\',
  '(',
  ')',
  ';',
  ' ',
  '\t',
  '\n',
  '\r',
  '\u0000',
  '\u007f',
  '$',
  '@',
  '*',
  '.',
]
const WORDS = [
  'IN',
  'TXT',
  'MX',
  'A',
  '300',
  '192.0.2.1',
  'a',
  'ä',
  '日本',
  '🦊',
  '\ud800',
  '\ufffd',
]
const MORE = [
  '$TTL',
  '$ORIGIN',
  '$GENERATE',
  '1-3',
  '\\032',
  '\\#',
  ';disabled ',
  ';joined',
  ';invalid ',
]

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PARTS, ...WORDS, ...MORE), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''))
const encoder = new TextEncoder()
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  hostileText.map((text) => encoder.encode(text).subarray(0, 255))
)
const short = bytes.map((it) => it.subarray(0, 255))
const text = fc
  .oneof(
    fc.array(short, { minLength: 1, maxLength: 4 }),
    bytes.map((it) => [it]),
    fc.uint8Array({ minLength: 4000, maxLength: 4000 }).map((it) => [it])
  )
  .map(printStrings)

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,8}[a-z0-9_])?$/)
const host = fc
  .array(label, { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'x'].join('.'))
const owner = fc.oneof(
  fc.constantFrom(APEX, `*.${APEX}`, `${APEX}.${APEX}`, `in.${APEX}`, `300.${APEX}`),
  fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, APEX].join('.'))
)
const set = (type: string, content: fc.Arbitrary<string>, priority: fc.Arbitrary<number>) => {
  const record = fc.record<RecordData>({ content, priority, disabled: fc.boolean() })
  const records = fc.uniqueArray(record, {
    minLength: 1,
    maxLength: 3,
    selector: (it) => JSON.stringify(it),
  })
  return fc.record<RRset>({
    name: owner,
    type: fc.constant(type),
    ttl: fc.nat(2147483647),
    records,
  })
}
const none = fc.constant(0)
const rrset = fc.oneof(
  { weight: 3, arbitrary: set('TXT', text, none) },
  set('MX', host, fc.nat(65535)),
  set('CNAME', host, none),
  set(
    'A',
    fc.ipV4().filter((it) => !it.startsWith('0')),
    none
  ),
  set('HINFO', fc.tuple(short, short).map(printStrings), none),
  set('TYPE65280', fc.constant('\\# 2 abcd'), none)
)
const zone = fc
  .uniqueArray(rrset, { maxLength: 8, selector: ({ name, type }) => `${name} ${type}` })
  .chain((rrsets) => {
    const notes = fc.array(
      fc.record({ above: fc.array(hostileText, { maxLength: 3 }), beside: hostileText })
    )
    return notes.map((found) => ({ rrsets, comments: commentsOf(rrsets, found) }))
  })

function commentsOf(
  rrsets: RRset[],
  notes: Pick<RecordComment, 'above' | 'beside'>[]
): RecordComment[] {
  const records = rrsets.flatMap(({ name, type, records: all }) =>
    all.map((it) => ({ name, type, ...it }))
  )
  return notes.slice(0, records.length).map((note, at) => ({ ...records[at], ...note }))
}

const parse = (file: string) => parseZoneFile(file, { origin: APEX })
const again = ({ rrsets, comments }: Pick<ZoneFileContents, 'rrsets' | 'comments'>) =>
  write(rrsets, comments)

test.group('laws of zone files', () => {
  test('what is written is read back, byte for byte', ({ assert }) => {
    const law = fc.property(zone, ({ rrsets, comments }) => {
      const file = write(rrsets, comments)
      const found = parse(file)
      assert.deepEqual(found.problems, [])
      assert.deepEqual(diffRRsets(found.rrsets, rrsets), [])
      assert.equal(again(found), file)
      assert.deepEqual(parse(again(found)).rrsets, found.rrsets)
      assert.deepEqual(parse(again(found)).comments, found.comments)
    })
    fc.assert(law, RUNS)
  })

  test('any text is read, and what was read is a fixed point', ({ assert }) => {
    const prefix = fc.constantFrom(
      '',
      '$TTL 5\n',
      '$TTL 5\na TXT ',
      '$TTL 5\na IN MX ',
      '$TTL 5\n$GENERATE '
    )
    const law = fc.property(prefix, hostileText, (start, rest) => {
      const found = parse(start + rest)
      const file = again(found)
      const second = parse(file)
      assert.deepEqual(second.problems, [])
      assert.deepEqual(second.rrsets, found.rrsets)
      assert.deepEqual(second.comments, found.comments)
      assert.equal(again(second), file)
    })
    fc.assert(law, RUNS)
  })

  test('every string is one string, in quotes or without', ({ assert }) => {
    const law = fc.property(fc.array(short, { minLength: 1, maxLength: 3 }), (strings) => {
      const quoted = printStrings(strings)
      const bare = strings.map((it) =>
        Array.from(it, (byte) => `\\${String(byte).padStart(3, '0')}`).join('')
      )
      fc.pre(strings.every(({ length }) => length > 0))
      const file = `$TTL 5\na TXT ${bare.join(' ')}\nb TXT ${quoted}`
      assert.deepEqual(
        parse(file).records.map(({ record }) => record.content),
        [quoted, quoted]
      )
    })
    fc.assert(law, RUNS)
  })

  test('where chunks are cut makes no difference', ({ assert }) => {
    const law = fc.property(hostileText, fc.array(fc.nat(40)), (rest, cuts) => {
      const file = `$TTL 5\na TXT ${rest}`
      const chunks: string[] = []
      let at = 0
      for (const cut of cuts) chunks.push(file.slice(at, (at += cut)))
      chunks.push(file.slice(at))
      const options = { origin: APEX, limits: { bytes: 1e9 } }
      assert.deepEqual([...readZoneText(chunks, options)], [...readZoneText([file], options)])
    })
    fc.assert(law, RUNS)
  })

  test('a clean comment stays as it is', ({ assert }) => {
    const law = fc.property(fc.oneof(hostileText, fc.constant(' ;🦊'.repeat(900))), (comment) => {
      const clean = cleanComment(comment)
      assert.equal(cleanComment(clean), clean)
      assert.equal(cleanComment(` ${clean} `), clean)
    })
    fc.assert(law, RUNS)
  })
})
