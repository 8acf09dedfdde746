import { test } from '@japa/runner'
import { readZoneFile, readZoneText, type ZoneFileLimits } from '#dns/zonefile/index'
import { APEX, parse } from './helpers.js'

const A = 'a A 192.0.2.1'

/** Lines (from line 2 on) that break a cap, the number of records before, and the error. */
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
    'Line 3: $GENERATE lines make more than 9 records',
  ],
  [
    { generate: 9 },
    ['$GENERATE 1-5 g$ A 192.0.2.$', '$GENERATE 1-5 h$ A 192.0.2.$'],
    5,
    'Line 3: $GENERATE lines make more than 9 records',
  ],
  [{ records: 3 }, ['$GENERATE 1-5 g$ A 192.0.2.$'], 3, 'Line 2: more than 3 records'],
  [{ bytes: 300 }, ['$GENERATE 1-5 g$ TXT ${0,100}'], 2, 'Line 3: more than 300 bytes'],
  [
    { nesting: 2 },
    [A, 'b A ( ( ( 192.0.2.1 ) ) )', A],
    1,
    'Line 3, column 9: more than 2 parentheses within each other',
  ],
]

test.group('zone files: caps', () => {
  test('{0} ends the reading with an error that names the cap')
    .with(CAPS)
    .run(({ assert }, [limits, lines, count, what]) => {
      const { records, problems } = parse(lines, limits)
      const [[cap, value]] = Object.entries(limits)
      assert.lengthOf(records, count)
      assert.deepEqual(
        problems.map(({ severity, field, message }) => [severity, field, message]),
        [['error', 'limit', `${what}; the cap '${cap}' is ${value}, and reading ends here`]]
      )
    })

  test('problems beyond their cap are counted, errors and warnings apart', ({ assert }) => {
    const lines = [...Array(5).fill('a A x'), ...Array(4).fill('a CNAME b.example.org'), 'a']
    const { problems } = parse(lines, { problems: 3 })
    assert.deepEqual(
      problems.filter(({ field }) => field !== 'limit' && field !== 'content').length,
      3
    )
    assert.includeMembers(
      problems.map(({ message }) => message),
      [
        "Line 11: 3 more errors in the file; the cap 'problems' is 3",
        "Line 11: 1 more warning in the file; the cap 'problems' is 3",
      ]
    )
  })

  test('nothing is taken from the source once a cap is broken', async ({ assert }) => {
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

  test('a line that never ends is not gathered', ({ assert }) => {
    function* endless() {
      while (true) yield 'x'.repeat(1000)
    }
    const limits = { lineLength: 5000 }
    const [problem, ...more] = [...readZoneText(endless(), { origin: APEX, limits })]
    assert.lengthOf(more, 0)
    assert.deepInclude(problem, { kind: 'problem', line: 1, field: 'limit' })
  })
})
