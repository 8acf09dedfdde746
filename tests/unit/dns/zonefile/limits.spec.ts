import { test } from '@japa/runner'
import { readZoneFile, readZoneText, type ZoneFileLimits } from '#dns/zonefile/index'
import { readSteps, type TextFormat } from '#dns/paste/read_records'
import { longestStepMs } from '#tests/support/cpu_time'
import { APEX, parse } from './helpers.js'

const A = 'a A 192.0.2.1'

/** Lines (from line 2 on) that exceed a limit, the number of records before, and the error. */
const CAPS: [Partial<ZoneFileLimits>, string[], number, string][] = [
  [{ bytes: 40 }, [A, 'b A 192.0.2.2', 'c A 192.0.2.3'], 0, 'Line 1: more than 40 bytes'],
  [{ bytes: 40 }, ['; ééééééééééééééééé'], 0, 'Line 1: more than 40 bytes'],
  [{ lines: 3 }, [A, 'b A 192.0.2.2', 'c A 192.0.2.3'], 2, 'Line 4: more than 3 lines'],
  [{ records: 2 }, [A, 'b A 192.0.2.2', 'c A 192.0.2.3'], 2, 'Line 4: more than 2 records'],
  [
    { lineLength: 20 },
    [A, `b TXT "${'x'.repeat(20)}"`, A],
    1,
    'Line 3: a line of more than 20 characters',
  ],
  [
    { lineLength: 20 },
    [A, 'b TXT ( "1234567"', '"1234567"', A],
    1,
    'Line 4: a record of more than 20 characters, after the "(" of line 3',
  ],
  [
    { generate: 9 },
    [A, '$GENERATE 1-10 g$ A 192.0.2.$'],
    1,
    'Line 3: $GENERATE lines create more than 9 records',
  ],
  [
    { generate: 9 },
    ['$GENERATE 1-5 g$ A 192.0.2.$', '$GENERATE 1-5 h$ A 192.0.2.$'],
    5,
    'Line 3: $GENERATE lines create more than 9 records',
  ],
  [{ records: 3 }, ['$GENERATE 1-5 g$ A 192.0.2.$'], 3, 'Line 2: more than 3 records'],
  [{ bytes: 300 }, ['$GENERATE 1-5 g$ TXT ${0,100}'], 2, 'Line 3: more than 300 bytes'],
  [
    { nesting: 2 },
    [A, 'b A ( ( ( 192.0.2.1 ) ) )', A],
    1,
    'Line 3, column 9: more than 2 nested parentheses',
  ],
]

const MIB = 1024 * 1024
/** Returns a line of the maximum length that repeats `part`. */
const line = (start: string, part: string, end = '') =>
  start + part.repeat(Math.floor((MIB - start.length - end.length) / part.length)) + end
/** Returns a file of 8 MiB that repeats `part`. */
const file = (start: string, part: string) =>
  start + part.repeat(Math.ceil((8 * MIB) / part.length))

/** Texts with the largest possible records or lines. Without the size checks each took 0.1 to 2 seconds in one step. */
const LARGE: [what: string, text: string, format?: TextFormat][] = [
  ['bare words', line('x 60 TXT ', 'a ')],
  ['quoted words', line('x 60 TXT ', '"a" ')],
  ['empty strings', line('x 60 TXT ', '""')],
  ['as many empty strings as a record holds', `x 60 TXT ${'"" '.repeat(65_535)}`],
  ['as many bare words as a record holds', `x 60 TXT ${'a '.repeat(32_767)}`],
  ['one string of UTF-8', line('x 60 TXT "', 'ü', '"')],
  ['one string of tabs', line('x 60 TXT "', '\t', '"')],
  ['words in parentheses', line('x 60 TXT (\n', 'a\n', ')')],
  ['comments in parentheses', line('x 60 TXT (\n', ';\n', ') a')],
  ['parentheses', line('x 60 TXT ', '()')],
  ['a disabled record', line(';disabled x 60 IN TXT ', 'a ')],
  ['types in a bitmap', line('x 60 NSEC a. ', 'A ')],
  ['hexadecimal digits', line('x 60 TLSA 3 1 1 ', 'aa ')],
  ['generic data', `x 60 TYPE999 \\# 65535 ${'aa '.repeat(65_535)}`],
  ['a name', line('', 'a.', ' 60 A 192.0.2.1')],
  ['a TTL', line('x ', '1', ' A 192.0.2.1')],
  ['an origin of words', line('$ORIGIN ', 'a ')],
  ['origins within each other', '$ORIGIN a\n'.repeat(10_000)],
  ['a range on the last line', '$TTL 60\n$GENERATE 0-99999 h$ A 192.0.2.1'],
  ['a range of SOA records', '$TTL 60\n$GENERATE 0-99999 @ SOA a. b. 1 1 1 1 1\n'],
  ['a range of words', line('$TTL 60\n$GENERATE 0-9 h TXT ', '$ ')],
  ['a range of wide counters', line('$TTL 60\n$GENERATE 0-9 h TXT ', '${0,255}')],
  ['a range of wide counters in names', '$TTL 60\n$GENERATE 0-9999 ${0,255}.${0,255} A 192.0.2.1'],
  ['a range with many words in quotes', line('$TTL 60\n$GENERATE 0-9 h MX "', '1 ', '"')],
  [
    'a range with many strings in quotes',
    line('$TTL 60\n$GENERATE 0-9 h TXT "\\"', 'a\\" \\"', '\\""'),
  ],
  ['comment lines', file('', ';\n')],
  ['empty lines', file('', '\n')],
  ['one RRset', `$TTL 60\n${Array.from({ length: 50_000 }, (_, i) => `h TXT ${i}\n`).join('')}`],
  ['comment lines of dig', file('; <<>> DiG 9\n', ';\n'), 'dig'],
  ['empty rows of a table', file('name,type,content\n', '\n'), 'csv'],
  ['rows of empty cells', file('name,type,content\n', ' ,,\n'), 'csv'],
  ['cells of a table', file('name,type,content\nx,A,192.0.2.1', ','), 'csv'],
  ['titles of a table', file('name,type,content', ',a'), 'csv'],
  ['words in a table', line('name,type,content\nx,TXT,', 'a '), 'csv'],
  ['strings in a table', line('name,type,content\nx,TXT,"', '""a"" ', '"'), 'csv'],
]
/** Milliseconds of CPU time for one step. Slow machines need several times as long as fast ones. */
const STEP_BOUND = 100

test.group('zone files: limits', () => {
  test('{0} ends the reading with an error that names the limit')
    .with(CAPS)
    .run(({ assert }, [limits, lines, count, what]) => {
      const { records, problems } = parse(lines, limits)
      const [[cap, value]] = Object.entries(limits)
      assert.lengthOf(records, count)
      assert.deepEqual(
        problems.map(({ severity, field, message }) => [severity, field, message]),
        [['error', 'limit', `${what}; the limit '${cap}' is ${value}, and reading stops here`]]
      )
    })

  test('problems beyond their limit are counted, errors and warnings separately', ({ assert }) => {
    const lines = [...Array(5).fill('a A x'), ...Array(4).fill('a CNAME b.example.org'), 'a']
    const { problems } = parse(lines, { problems: 3 })
    assert.deepEqual(
      problems.filter(({ field }) => field !== 'limit' && field !== 'content').length,
      3
    )
    assert.includeMembers(
      problems.map(({ message }) => message),
      [
        "Line 11: 3 more errors in the file; the limit 'problems' is 3",
        "Line 11: 1 more warning in the file; the limit 'problems' is 3",
      ]
    )
  })

  test('nothing is read from the source after a limit is exceeded', async ({ assert }) => {
    let taken = 0
    function* endless() {
      while (true) {
        taken++
        yield '(\n'
      }
    }
    const options = { origin: APEX, limits: { lineLength: 5000 } }
    assert.lengthOf([...readZoneText(endless(), options)], 1)
    assert.equal(taken, 9)
    const found = []
    for await (const item of readZoneFile(endless(), options)) found.push(item)
    assert.lengthOf(found, 1)
  })

  for (const [what, text, format = 'zone'] of LARGE) {
    test(`${what}: no step of a large text is long`, ({ assert }) => {
      const options = { format, origin: APEX, defaultTtl: 60 }
      assert.isBelow(
        longestStepMs(() => readSteps(text, options), STEP_BOUND),
        STEP_BOUND
      )
    })
  }

  test('a content has at most the length of the wire format (RFC 1035, section 3.2.1)', ({
    assert,
  }) => {
    const contentsOf = (text: string) => parse([text]).records.map(({ record }) => record.content)
    const problemOf = (text: string) => parse([text]).problems[0]?.message
    const empty = '"" '.repeat(65_535).trim()
    assert.deepEqual(contentsOf(`x 60 TXT ${empty}`), [empty])
    assert.lengthOf(contentsOf(`x 60 IN TYPE999 \\# 65535 ${'aa '.repeat(65_535)}`), 1)
    assert.lengthOf(contentsOf(`x 60 TXT "${'ü'.repeat(32_639)}"`), 1)
    assert.include(problemOf(`x 60 TXT ${empty} ""`), 'at most 65535 bytes in total')
    assert.include(problemOf(`x 60 TXT "${'ü'.repeat(32_767)}"`), 'at most 65535 bytes in total')
    assert.include(problemOf(`x 60 TXT ${'a '.repeat(70_000)}`), "the limit 'words' is 65541")
    assert.include(
      problemOf(`x 60 TXT "${'a'.repeat(300_000)}"`),
      'has 300002 characters; allowed: at most 262140'
    )
    assert.include(problemOf(`x ${'1'.repeat(101)} A 192.0.2.1`), 'of at most 100 characters')
    assert.include(problemOf('$GENERATE 1-9 @ SOA a. b. 1 1 1 1 1'), `"SOA" cannot be generated`)
    assert.include(
      problemOf(`$GENERATE 1-9 h TXT ${'${0,255} '.repeat(5_000)}`),
      "the limit 'lineLength' is 1048576"
    )
    assert.include(
      problemOf(`$GENERATE 1-9 h TXT ${'$'.repeat(1)}${'a$'.repeat(2_000)}`),
      'at most 1000 counters'
    )
  })

  test('an endless line is not buffered', ({ assert }) => {
    function* endless() {
      while (true) yield 'x'.repeat(1000)
    }
    const limits = { lineLength: 5000 }
    const [problem, ...more] = [...readZoneText(endless(), { origin: APEX, limits })]
    assert.lengthOf(more, 0)
    assert.deepInclude(problem, { kind: 'problem', line: 1, field: 'limit' })
  })
})
