import { test } from '@japa/runner'
import fc from 'fast-check'
import { parseZoneFile } from '#dns/zonefile/index'
import { hostileText } from '#tests/unit/dns/support/hostile_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { ORIGINS, readCase } from './cases.js'
import { APEX, parse } from './helpers.js'

const MILLION = 1_000_000
/** Microseconds. Quadratic code takes minutes for a million characters, linear code a second or two. */
const CPU_LIMIT = 20_000_000

/** The files of the cases and their parsed contents. Properties draw the file names, which a failure prints. */
const files = new Map(
  Object.entries(ORIGINS).map(([folder, origin]) => {
    const content = readCase(folder).zone
    return [folder, { content, origin, whole: parseZoneFile(content, { origin }) }]
  })
)
const folder = fc.constantFrom(...files.keys())
const text = (value: unknown) => JSON.stringify(value)

/** Lines of a million characters, or very many lines, by their parts. */
const LONG: Record<string, string> = {
  'a word': 'x'.repeat(MILLION),
  'blanks': ' '.repeat(MILLION),
  'a quote that is not closed': `a TXT "${'x'.repeat(MILLION)}`,
  'empty strings': `a TXT ${'"" '.repeat(MILLION / 3)}`,
  'words of text': `a TXT ${'x '.repeat(MILLION / 2)}`,
  'backslashes': `a TXT ${'\\'.repeat(MILLION)}`,
  'escapes': `a TXT "${'\\000'.repeat(MILLION / 4)}"`,
  'labels': `${'a.'.repeat(MILLION / 2)} A 192.0.2.1`,
  'dots': `${'.'.repeat(MILLION)} A 192.0.2.1`,
  'escaped dots': `${'\\.'.repeat(MILLION / 2)} A 192.0.2.1`,
  'an IDN': `${'ä'.repeat(MILLION)} A 192.0.2.1`,
  'a mailbox': `a MR ${'a\\.'.repeat(MILLION / 3)}`,
  'parentheses': `a A ${'('.repeat(MILLION)}`,
  'pairs of parentheses': `a A ${'()'.repeat(MILLION / 2)}192.0.2.1`,
  'lines in parentheses': `a TXT (\n${'x\n'.repeat(MILLION / 2)})`,
  'faulty lines in parentheses': `a TXT (\n${'"\n'.repeat(MILLION / 10)})`,
  'comments in parentheses': `a A ( 192.0.2.1\n${'; x\n'.repeat(MILLION / 4)})`,
  'semicolons': ';'.repeat(MILLION),
  'comment lines': `${';x\n'.repeat(MILLION / 3)}a A 192.0.2.1`,
  'a disabled record': `;disabled a 5 IN TXT ${'x '.repeat(MILLION / 2)}`,
  'line breaks': '\r\n'.repeat(MILLION / 2),
  'carriage returns': '\r'.repeat(MILLION),
  'NULs': '\u0000'.repeat(MILLION),
  'no UTF-8': `a TXT ${'\ufffd '.repeat(MILLION / 2)}`,
  'a TTL': `a ${'1h'.repeat(MILLION / 2)} A 192.0.2.1`,
  'an address': `a AAAA ${'1:'.repeat(MILLION / 2)}`,
  'a key in pieces': `a DNSKEY 257 3 13 ${'AAAA '.repeat(MILLION / 5)}`,
  'generic data': `a TYPE65280 \\# 500000 ${'a '.repeat(MILLION / 2)}`,
  'types': `a NSEC b. ${'A '.repeat(MILLION / 2)}`,
  'parameters': `a SVCB 1 . ${'key1=2 '.repeat(MILLION / 7)}`,
  'hints': `a SVCB 1 . ipv4hint=${'1.2.3.4,'.repeat(MILLION / 8)}`,
  'Lua': `a LUA A "${'--[['.repeat(MILLION / 4)}"`,
  'a regular expression': `a NAPTR 1 1 "u" "a" "!${'(a*)*'.repeat(MILLION / 5)}!b!" .`,
  'terms of SPF': `a SPF "v=spf1 ${'%{'.repeat(MILLION / 2)}"`,
  'origins': '$ORIGIN a\n'.repeat(MILLION / 50),
  'words of a $GENERATE': `$GENERATE 1-99999 a$ TXT ${'$ '.repeat(MILLION / 2)}`,
  'faulty lines': 'a\n'.repeat(MILLION / 10),
  'one record again and again': 'a A 192.0.2.1\n'.repeat(MILLION / 14),
  'one TTL after the other': Array.from({ length: 50_000 }, (_, at) => `a ${at} A 192.0.2.1`).join(
    '\n'
  ),
}

test.group('hostile zone files', () => {
  test('any bytes are read without an exception, as UTF-8 or Latin-1', ({ assert }) => {
    const encoding = fc.constantFrom('utf8' as const, 'latin1' as const)
    const law = fc.property(fc.uint8Array({ maxLength: 300 }), encoding, (bytes, as) => {
      const content = Buffer.from(bytes).toString(as)
      const { records, problems } = parseZoneFile(content, { origin: APEX })
      const lines = content.split('\n').length
      for (const { line } of [...records, ...problems]) {
        assert.isAtLeast(line, 1)
        assert.isAtMost(line, lines)
      }
    })
    fc.assert(law, LAW_RUNS)
  })

  test('real files with hostile text inside are read without an exception', ({ assert }) => {
    const law = fc.property(folder, fc.nat(), fc.nat(20), hostileText, (it, at, cut, hostile) => {
      const { content, origin } = files.get(it)!
      const start = at % content.length
      const changed = content.slice(0, start) + hostile + content.slice(start + cut)
      const { problems } = parseZoneFile(changed, { origin })
      for (const { message, line } of problems) assert.include(message, `Line ${line}`)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('records before the end of a truncated file are unchanged', ({ assert }) => {
    const law = fc.property(folder, fc.nat(), (it, at) => {
      const { content, origin, whole } = files.get(it)!
      const cut = parseZoneFile(content.slice(0, at % content.length), { origin })
      // The record on the last line may have lost its end or its comment.
      const last = cut.records.at(-1)?.line ?? 0
      const sure = cut.records.filter(({ line }) => line < last)
      assert.equal(text(sure), text(whole.records.slice(0, sure.length)))
    })
    fc.assert(law, LAW_RUNS)
  })

  test('{$self}: Windows line breaks and a byte order mark change nothing')
    .with([...files.keys()])
    .run(({ assert }, it) => {
      const { content, origin, whole } = files.get(it)!
      const read = parseZoneFile(`\ufeff${content.replace(/\r?\n/g, '\r\n')}`, { origin })
      assert.deepEqual(read, whole)
    })

  test('a very large file is read in time, with short messages: {$self}')
    .with(Object.keys(LONG))
    .run(({ assert }, what) => {
      const start = process.cpuUsage()
      const { problems } = parse([LONG[what]])
      assert.isBelow(process.cpuUsage(start).user, CPU_LIMIT)
      assert.isAtMost(problems.length, 202)
      for (const { message } of problems) assert.isBelow(message.length, 1000)
    })

  test('$GENERATE {$self} generates no record')
    .with([
      '0-99999999',
      '0-2147483647',
      '0-4294967295',
      '0-99999999999999999999',
      '0-9/0',
      '9-0',
      '-1-9',
      '0-9/2147483648',
      '0-',
      '0--9',
      '1e1-2e2',
    ])
    .run(({ assert }, range) => {
      const { records, problems } = parse([`$GENERATE ${range} a$ A 192.0.2.1`])
      assert.lengthOf(records, 0)
      assert.lengthOf(problems, 1)
    })

  test('several $GENERATE lines share one limit', ({ assert }) => {
    const lines = Array.from({ length: 12 }, (_, at) => `$GENERATE 0-9999 a${at}-$ A 192.0.2.1`)
    const { records, problems } = parse(lines)
    assert.lengthOf(records, 100_000)
    assert.lengthOf(problems, 1)
    assert.include(problems[0].message, "the limit 'generate' is 100000")
  })
})
