import { test } from '@japa/runner'
import { readRecords } from '#dns/paste/read_records'
import { parseZoneFile } from '#dns/zonefile/index'

const SOA = 'SOA ns1.example. root.example. 1 3600 600 604800 60'
const many = (line: (index: number) => string) => Array.from({ length: 120 }, (_, i) => line(i))
const TOLD = (line: number, zone: string) =>
  `Line ${line}, column 1: Field 'name': the file belongs to the zone ${zone}; its names are outside the zone example.org`

/** Files and their problems; a number is the count of problems. */
const FILES: [what: string, lines: string[], told: string[] | number][] = [
  [
    'absolute names',
    [`example. 60 IN ${SOA}`, ...many((i) => `h${i}.example. 60 A 192.0.2.1`)],
    [TOLD(1, 'example.')],
  ],
  [
    'an origin',
    ['$ORIGIN Example.', `@ 60 ${SOA}`, ...many((i) => `h${i} 60 A 192.0.2.1`)],
    [TOLD(2, 'example.')],
  ],
  [
    'an origin without an SOA',
    ['$ORIGIN example.', '$TTL 60', ...many((i) => `h${i} A 192.0.2.1`)],
    [TOLD(3, 'example.')],
  ],
  ['the root', [`. 60 ${SOA}`, 'com. 60 NS ns1.example.'], [TOLD(1, '.')]],
  [
    'owners taken over',
    [`example. 60 ${SOA}`, ' 60 NS ns1.example.', ' 60 NS ns2.example.'],
    [TOLD(1, 'example.')],
  ],
  ['the zone above', [`org. 60 ${SOA}`, 'other.org. 60 NS ns1.example.'], [TOLD(1, 'org.')]],
  [
    'this zone, with a stray name',
    [`@ 60 ${SOA}`, 'a.example. 60 A 192.0.2.1', 'b.example. 60 A 192.0.2.1'],
    2,
  ],
  ['single names of another zone', ['a.example. 60 A 192.0.2.1', 'b.example. 60 A 192.0.2.1'], 2],
  [
    'this zone, and an origin of another one at the end',
    [`@ 60 ${SOA}`, '$ORIGIN example.', 'a 60 A 192.0.2.1', 'b 60 A 192.0.2.1'],
    2,
  ],
]

const ONCE = /120 records are outside the zone example\.org, on lines (\d+, ){4}\d+ and others$/
/** Texts that do not name their zone. */
const UNNAMED: [what: string, lines: string[], format: 'zone' | 'csv', more: number][] = [
  ['absolute names', many((i) => `h${i}.example. 60 A 192.0.2.1`), 'zone', 0],
  [
    'a record of this zone',
    ['@ 60 A 192.0.2.1', ...many((i) => `h${i}.example. 60 A ::1`)],
    'zone',
    0,
  ],
  ['other errors', ['@ 60 A x', '@ 60 A y', ...many((i) => `h${i}.example. 60 A ::1`)], 'zone', 2],
  ['a table', ['name,type,content', ...many((i) => `h${i}.example.,A,192.0.2.1`)], 'csv', 0],
  [
    'a table as exports have it',
    [
      'name,ttl,type,content,priority,disabled',
      ...many((i) => `h${i}.example.,60,A,192.0.2.1,,no`),
    ],
    'csv',
    0,
  ],
]

test.group('A zone file of another zone', () => {
  for (const [what, lines, format, more] of UNNAMED) {
    test(`a text that does not name its zone gets one problem: ${what}`, ({ assert }) => {
      const options = { format, origin: 'example.org', defaultTtl: 60 }
      const { problems } = readRecords(`${lines.join('\n')}\n`, options)
      assert.lengthOf(problems, more + 1)
      assert.match(problems[more].message, /h0\.example\./)
      assert.match(problems[more].message, ONCE)
    })
  }

  for (const [what, lines, told] of FILES) {
    test(`a file with ${what}`, ({ assert }) => {
      const text = `${lines.join('\n')}\n`
      const { problems } = parseZoneFile(text, { origin: 'example.org' })
      const messages = problems.map(({ message }) => message)
      if (typeof told === 'number') {
        assert.lengthOf(messages, told)
        assert.isFalse(messages.some((message) => message.includes('the file belongs to the zone')))
      } else {
        assert.deepEqual(messages, told)
        assert.equal(problems[0].severity, 'error')
      }
    })
  }

  test('ignored names are listed one by one', ({ assert }) => {
    const text = `example. 60 ${SOA}\na.example. 60 A 192.0.2.1\n`
    const { problems } = parseZoneFile(text, { origin: 'example.org', outside: 'skip' })
    assert.deepEqual(
      problems.map(({ severity }) => severity),
      ['warning', 'warning']
    )
  })
})
