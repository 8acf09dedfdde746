import { test } from '@japa/runner'
import fc from 'fast-check'
import { diffRRsets } from '#dns/diff'
import { ownerName } from '#dns/names'
import { printStrings } from '#dns/rdata/character_strings'
import {
  parseZoneFile,
  readZoneText,
  recordOrder,
  zoneOrder,
  type RecordComment,
  type ZoneFileContents,
} from '#dns/zonefile/index'
import { cleanComment } from '#dns/zonefile/comments'
import { hostileBytes, hostileText } from '#tests/unit/dns/support/hostile_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { taken } from '#tests/unit/dns/support/unless_refused'
import { zone } from '#tests/unit/dns/support/zones'
import type { RRset } from '#dns/types'
import { APEX, write } from './helpers.js'

const anyComments = fc.array(
  fc.record({ above: fc.array(hostileText, { maxLength: 3 }), inline: hostileText }),
  { maxLength: 4 }
)

function commentsOf(
  rrsets: RRset[],
  found: Pick<RecordComment, 'above' | 'inline'>[]
): RecordComment[] {
  const records = rrsets.flatMap(({ name, type, records: all }) =>
    all.map((it) => ({ name, type, ...it }))
  )
  return found.slice(0, records.length).map((comment, at) => ({ ...records[at], ...comment }))
}

const parse = (file: string) => parseZoneFile(file, { origin: APEX })
const again = ({ rrsets, comments }: Pick<ZoneFileContents, 'rrsets' | 'comments'>) =>
  write(rrsets, comments)
/** Comparing strings is far faster than comparing objects. */
const text = (value: unknown) => JSON.stringify(value)
const inOrder = (rrsets: RRset[]) =>
  zoneOrder(rrsets, APEX).map((it) => ({ ...it, records: recordOrder(it.records) }))

test.group('properties of zone files', () => {
  test('a zone of any types is written and read back unchanged', ({ assert }) => {
    const law = fc.property(zone, anyComments, (rrsets, found) => {
      const file = write(rrsets, commentsOf(rrsets, found))
      const read = parse(file)
      // Names that PowerDNS does not serve are allowed in the zone.
      assert.equal(text(read.problems.filter(({ owner }) => owner === undefined)), '[]')
      assert.equal(text(read.rrsets), text(inOrder(rrsets)))
      assert.lengthOf(diffRRsets(read.rrsets, rrsets), 0)
      assert.equal(again(read), file)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('any text can be read, and the result is a fixed point', ({ assert }) => {
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
      assert.equal(text(second.problems.filter(({ owner }) => owner === undefined)), '[]')
      assert.equal(text(second.rrsets), text(found.rrsets))
      assert.equal(text(second.comments), text(found.comments))
      assert.equal(again(second), file)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('every string stays one string, with or without quotes', ({ assert }) => {
    const filled = hostileBytes().filter(({ length }) => length > 0)
    const law = fc.property(fc.array(filled, { minLength: 1, maxLength: 3 }), (strings) => {
      const quoted = printStrings(strings)
      const bare = strings.map((it) => escaped(Array.from(it)))
      const file = `$TTL 5\na TXT ${bare.join(' ')}\nb TXT ${quoted}`
      const contents = parse(file).records.map(({ record }) => record.content)
      assert.deepEqual(contents, [quoted, quoted])
    })
    fc.assert(law, LAW_RUNS)
  })

  test('an owner name with escapes equals its plain form, or is refused', ({ assert }) => {
    const ascii = hostileText.map((it) => it.replace(/[^ -~]/g, ''))
    const law = fc.property(ascii, (given) => {
      const label = Array.from(given, (letter) => escaped([letter.charCodeAt(0)])).join('')
      const expected = taken(() => ownerName(`${label}.${APEX}.`, APEX))
      const { records, problems } = parse(`$TTL 5\n${label}.${APEX}. A 192.0.2.1`)
      assert.lengthOf(problems, expected === undefined ? 1 : 0)
      if (expected !== undefined) assert.equal(records[0].name, expected)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('the positions of chunk boundaries do not matter', ({ assert }) => {
    const law = fc.property(hostileText, fc.array(fc.nat(40)), (rest, cuts) => {
      const file = `$TTL 5\na TXT ${rest}`
      const chunks: string[] = []
      let at = 0
      for (const cut of cuts) chunks.push(file.slice(at, (at += cut)))
      chunks.push(file.slice(at))
      const options = { origin: APEX, limits: { bytes: 1e9 } }
      assert.equal(
        text([...readZoneText(chunks, options)]),
        text([...readZoneText([file], options)])
      )
    })
    fc.assert(law, LAW_RUNS)
  })

  test('a clean comment stays unchanged', ({ assert }) => {
    const law = fc.property(fc.oneof(hostileText, fc.constant(' ;🦊'.repeat(900))), (comment) => {
      const clean = cleanComment(comment)
      assert.equal(cleanComment(clean), clean)
      assert.equal(cleanComment(` ${clean} `), clean)
    })
    fc.assert(law, LAW_RUNS)
  })
})

function escaped(bytes: number[]): string {
  return bytes.map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')
}
