import { test } from '@japa/runner'
import { parseZoneFile } from '#dns/zonefile/index'
import { APEX, parse } from './helpers.js'

/** Lines (from line 2 on) and their problems: line, column, field and a part of the message. */
const BROKEN: [lines: string[], ...[number, number, string, string][]][] = [
  [
    ['a TXT "open'],
    [2, 7, 'syntax', '"\\"open" has a quote that is not closed; allowed: a closing'],
  ],
  [['a TXT a"b'], [2, 8, 'syntax', 'has a quote that is not closed']],
  [
    ['a TXT ( "x" )) '],
    [2, 14, 'syntax', '")" has no matching "("; allowed: a ")" after a matching "("'],
  ],
  [
    ['a A 192.0.2.1', 'b TXT ( "x"'],
    [3, 7, 'syntax', '"(" is not closed; allowed: a matching ")" before the end'],
  ],
  [['a TXT end\\'], [2, 10, 'syntax', '"\\\\" is the last character of the line; allowed: \\DDD']],
  [['a TXT x\u0000y'], [2, 8, 'syntax', '"\\u0000" is a control character; allowed:']],
  [['a TXT "x\u0007y"'], [2, 9, 'syntax', 'is a control character']],
  [['a TXT "x\rA y"'], [2, 9, 'syntax', '"\\r" is a control character']],
  [
    ['a TXT "M\ufffdnchen"'],
    [2, 7, 'syntax', 'has a character that was not valid UTF-8 (U+FFFD); allowed:'],
  ],
  [['a TXT "\\999"'], [2, 7, 'content', 'has an invalid escape']],
  [['a TXT "\u007f"'], [2, 7, 'content', 'has a control character']],
  [['a TXT "\ud800"'], [2, 7, 'content', 'is not Unicode text']],
  [['a TXT'], [2, 3, 'content', '"" is empty; allowed: TXT content, such as']],
  [
    ['a 1x A 192.0.2.1'],
    [2, 3, 'ttl', '"1x" is not a duration; allowed: seconds, or numbers with'],
  ],
  [['a 1h3 A 192.0.2.1'], [2, 3, 'ttl', 'is not a duration']],
  [['a 2147483648 A 192.0.2.1'], [2, 3, 'ttl', 'up to 2147483647 seconds']],
  [['a 99999999999999999999999w A 192.0.2.1'], [2, 3, 'ttl', 'up to 2147483647 seconds']],
  [['a 5 IN 5 A 192.0.2.1'], [2, 8, 'ttl', '"5" is a second TTL; allowed: one TTL']],
  [['a IN IN A 192.0.2.1'], [2, 6, 'class', '"IN" is a second class']],
  [['a CH TXT "x"'], [2, 3, 'class', '"CH" is not served; allowed: IN']],
  [['a CLASS4 A 192.0.2.1'], [2, 3, 'class', '"CLASS4" is not served; allowed: IN']],
  [['a 192.0.2.1'], [2, 3, 'ttl', '"192.0.2.1" is not a duration']],
  [['a'], [2, 1, 'type', '"a" is not followed by a record type; allowed: owner, TTL, class']],
  [['a 5 IN'], [2, 5, 'type', '"IN" is not followed by a record type']],
  [
    ['a WINS 1 2'],
    [2, 3, 'type', '"WINS" is not a supported record type; allowed: one of A, AAAA'],
  ],
  [['a TYPE65280 \\# 3 abcd'], [2, 13, 'content', '\\\\# 3 abcd']],
  [
    ['a TYPE1 \\# 3 c00002'],
    [
      2,
      9,
      'content',
      '"\\\\# 3 c00002" has data that ends within the address; allowed: the data of A: address',
    ],
  ],
  [['a MX \\# 5 000a016100 ff'], [2, 6, 'content', 'has the length 5, but 6 bytes of data']],
  [['a TYPE15 \\# 6 000a016100ff'], [2, 10, 'content', 'has 1 byte too many after the exchange']],
  [['a TYPE254 \\# 1 00'], [2, 3, 'type', 'is a type for queries and messages']],
  [['a TXT \\# 3 abcd'], [2, 7, 'content', 'has the length 3, but 2 bytes of data']],
  [['a TXT \\# 4 04616263'], [2, 7, 'content', 'has data that ends within the strings']],
  [['a TXT \\# 0'], [2, 7, 'content', 'has data that ends within the strings']],
  [['a A 192.0.2.256'], [2, 5, 'content', '"192.0.2.256" is not an IPv4 address; allowed:']],
  [
    ['a MX mail'],
    [2, 6, 'priority', '"mail" is not a priority; allowed: 0 to 65535, before the MX'],
  ],
  [['a MX 65536 mail'], [2, 6, 'priority', '"65536" is not a priority']],
  [['a MX 10'], [2, 6, 'content', '"" is empty']],
  [['a MX 10 b c'], [2, 6, 'content', 'allowed:']],
  [['a CNAME b\\;c'], [2, 9, 'content', 'has the character ";"']],
  [['@ SOA a b 1 2 3 4 5x'], [2, 19, 'content', '"5x" is not a duration']],
  [['b SOA a b 1 2 3 4 5'], [2, 1, 'name', 'cannot have an SOA record']],
  [
    ['@ SOA a b 1 2 3 4 5', '@ SOA a b 2 2 3 4 5'],
    [
      3,
      Number.NaN,
      'content',
      'is a second, different SOA; allowed: one SOA in a zone; a transfer can repeat the SOA of line 2',
    ],
  ],
  [['a b A 192.0.2.1'], [2, 3, 'type', '"B" is not a supported record type']],
  [['a..b A 192.0.2.1'], [2, 1, 'name', '"a..b.example.org." has an empty label; allowed:']],
  [['\\255 A 192.0.2.1'], [2, 1, 'name', 'has the character']],
  [['a\\;b A 192.0.2.1'], [2, 1, 'name', 'has the character ";"']],
  [[`${'x'.repeat(64)} A 192.0.2.1`], [2, 1, 'name', 'has a label longer than 63 characters']],
  [[' A 192.0.2.1'], [2, 1, 'name', '"" is missing; allowed: a name at the start of the line']],
  [['a.example.net. A 192.0.2.1'], [2, 1, 'name', 'is outside the zone example.org']],
  [['notexample.org. A 192.0.2.1'], [2, 1, 'name', 'is outside the zone example.org']],
  [
    ['a.example.net. A 192.0.2.1', '  A 192.0.2.2'],
    [2, 1, 'name', 'is outside the zone example.org'],
    [3, 3, 'name', 'the owner name of the previous record is outside the zone example.org'],
  ],
  [
    ['$INCLUDE other.zone'],
    [2, 1, 'directive', '"$INCLUDE" is refused; allowed: the records themselves'],
  ],
  [['$TIME 5'], [2, 1, 'directive', '"$TIME" is not known; allowed: $ORIGIN, $TTL and $GENERATE']],
  [['$TTL'], [2, 1, 'directive', '"$TTL" has 0 values; allowed: one duration']],
  [['$TTL 1 2'], [2, 1, 'directive', '"$TTL" has 2 values; allowed: one duration']],
  [['$TTL 1y'], [2, 6, 'ttl', '"1y" is not a duration']],
  [['$ORIGIN a..b'], [2, 9, 'origin', '"a..b.example.org." has an empty label']],
  [
    ['; Transfer failed.'],
    [2, 1, 'transfer', '"Transfer failed." reports that the transfer was interrupted'],
  ],
  [[';; communications error to 192.0.2.1#53: end of file'], [2, 1, 'transfer', 'was interrupted']],
  [[';disabled a 5 IN A x'], [2, 20, 'content', '"x" is not an IPv4 address']],
  [[';disabled a 5 IN TXT ( "x"'], [2, 22, 'syntax', '"(" is not closed']],
  [[';disabled a 5 IN TXT "x'], [2, 22, 'syntax', 'has a quote that is not closed']],
  [
    ['$GENERATE'],
    [2, 1, 'directive', '"$GENERATE" is not complete; allowed: $GENERATE start-stop'],
  ],
  [['$GENERATE 2-1 a$ A 192.0.2.$'], [2, 11, 'directive', '"2-1" is not a range']],
  [['$GENERATE 1-2/0 a$ A 192.0.2.$'], [2, 11, 'directive', '"1-2/0" is not a range']],
  [['$GENERATE 1-2147483648 a$ A 192.0.2.$'], [2, 11, 'directive', 'is not a range']],
  [
    ['$GENERATE 1-2 a${1,2,z} A 192.0.2.$'],
    [2, 15, 'directive', 'has an invalid counter; allowed: "$"'],
  ],
  [['$GENERATE 1-2 a${1 A 192.0.2.$'], [2, 15, 'directive', 'has an invalid counter']],
  [['$GENERATE 1-2 a${0,256} A 192.0.2.$'], [2, 15, 'directive', 'has an invalid counter']],
  [
    ['$GENERATE 1-2 a${-2} A 192.0.2.$'],
    [2, 15, 'directive', 'results in a number below 0 if "$" is 1'],
  ],
  [
    ['$GENERATE 1-2 a${2147483647} A 192.0.2.$'],
    [2, 15, 'directive', 'results in a number above 2147483647 if "$" is 1'],
  ],
  [
    ['$GENERATE 254-258 a$ A 192.0.2.$'],
    [2, 24, 'content', '"192.0.2.256" is not an IPv4 address'],
  ],
]

test.group('zone files: errors', () => {
  test('{0} is refused on its line')
    .with(BROKEN)
    .run(({ assert }, [lines, ...expected]) => {
      const { problems } = parse(lines)
      assert.deepEqual(
        problems.map(({ line, column, field }) => [line, column ?? Number.NaN, field]),
        expected.map(([line, column, field]) => [line, column, field])
      )
      for (const [at, { severity, line, column, message }] of problems.entries()) {
        assert.equal(severity, 'error')
        const where = column === undefined ? `Line ${line}: ` : `Line ${line}, column ${column}: `
        assert.isTrue(message.startsWith(where), message)
        assert.include(message, expected[at][3])
      }
    })

  test('a record without any TTL gets an error', ({ assert }) => {
    const { problems } = parseZoneFile('a A 192.0.2.1', { origin: APEX })
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        `Line 1, column 3: Field 'ttl': "" is missing; allowed: a TTL in the record, or a $TTL, SOA or record with a TTL before it`,
      ]
    )
  })

  test('all errors are returned, and valid records are read', ({ assert }) => {
    const { records, problems } = parse([
      'a A 192.0.2.1',
      'b A 192.0.2',
      'c TXT ( "one',
      '  "two" )',
      'd A 192.0.2.4',
      'e TXT ( "x )',
      'f A 192.0.2.5',
      'g..h A 192.0.2.6',
      '     A 192.0.2.7',
      'i 5x A 192.0.2.8',
      '     A 192.0.2.9',
    ])
    assert.deepEqual(
      records.map(({ name, record }) => `${name} ${record.content}`),
      [
        'a.example.org 192.0.2.1',
        'd.example.org 192.0.2.4',
        'f.example.org 192.0.2.5',
        'i.example.org 192.0.2.9',
      ]
    )
    assert.deepEqual(
      problems.map(({ line }) => line),
      [3, 4, 7, 9, 11]
    )
  })

  test('records outside the zone can be ignored', ({ assert }) => {
    const lines = ['$TTL 5', 'a.example.net. A 192.0.2.1', ' A 192.0.2.2', 'a..b A 192.0.2.3']
    const { records, problems } = parseZoneFile(lines.join('\n'), { origin: APEX, outside: 'skip' })
    assert.deepEqual(records, [])
    assert.deepEqual(
      problems.map(({ severity, line }) => [severity, line]),
      [
        ['warning', 2],
        ['warning', 3],
        ['error', 4],
      ]
    )
    assert.isTrue(problems[0].message.endsWith('; the record is skipped'))
  })

  test('records that cannot be exported are named', ({ assert }) => {
    const { problems, comments } = parse([';invalid a 5 IN A x', 'b A 192.0.2.1'])
    assert.deepEqual(comments, [])
    assert.deepEqual(
      problems.map(({ severity, line, message }) => [severity, line, message]),
      [
        [
          'warning',
          2,
          `Line 2: Field 'content': "invalid a 5 IN A x" was not exported; allowed: a record that could be exported; the record is skipped`,
        ],
      ]
    )
  })
})
