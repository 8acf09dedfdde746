import { test } from '@japa/runner'
import { gatherZoneFile, parseZoneFile, readZoneFile, readZoneText } from '#dns/zonefile/index'
import { APEX, parse, summary } from './helpers.js'

const SOA = 'ns1.example.org hostmaster.example.org 1 2 3 4 5'
const BLOCK = Array.from({ length: 51 }, (_, at) => `; old ${at}`)

/** Forms of a record: the lines and the expected records. */
const RULES: [what: string, lines: string[], expected: string[]][] = [
  ['a relative name', ['www A 192.0.2.1'], ['www.example.org 60 A 192.0.2.1']],
  ['an absolute name', ['www.Example.ORG. A 192.0.2.1'], ['www.example.org 60 A 192.0.2.1']],
  ['the apex as "@"', ['@ A 192.0.2.1'], ['example.org 60 A 192.0.2.1']],
  ['a wildcard, also escaped', ['\\*.a A 192.0.2.1'], ['*.a.example.org 60 A 192.0.2.1']],
  ['an escaped underscore', ['\\095a A 192.0.2.1'], ['_a.example.org 60 A 192.0.2.1']],
  [
    'the owner of the record before',
    ['www A 192.0.2.1', ' A 192.0.2.2', '', '\t; text', '\tA 192.0.2.3'],
    [1, 2, 3].map((n) => `www.example.org 60 A 192.0.2.${n}`),
  ],
  ['the class before the TTL', ['a IN 5 A 192.0.2.1'], ['a.example.org 5 A 192.0.2.1']],
  ['the TTL before the class', ['a 5 in a 192.0.2.1'], ['a.example.org 5 A 192.0.2.1']],
  ['class IN as CLASS1', ['a CLASS1 A 192.0.2.1'], ['a.example.org 60 A 192.0.2.1']],
  ['an owner that looks like a class', ['in in A 192.0.2.1'], ['in.example.org 60 A 192.0.2.1']],
  ['an owner that looks like a TTL', ['10 10 A 192.0.2.1'], ['10.example.org 10 A 192.0.2.1']],
  ['a TTL with units', ['a 1h30M2s A 192.0.2.1'], ['a.example.org 5402 A 192.0.2.1']],
  ['a TTL in weeks and days', ['a 1w2D A 192.0.2.1'], ['a.example.org 777600 A 192.0.2.1']],
  ['the age of Windows', ['a [AGE:37] 5 A 192.0.2.1'], ['a.example.org 5 A 192.0.2.1']],
  [
    'names of contents, completed',
    ['a MX 10 mail', 'b MX 5 @', 'c CNAME x.example.net.', '_s._tcp SRV 1 2 3 host'],
    [
      'a.example.org 60 MX 10 mail.example.org',
      'b.example.org 60 MX 5 example.org',
      'c.example.org 60 CNAME x.example.net',
      '_s._tcp.example.org 60 SRV 1 2 3 host.example.org',
    ],
  ],
  [
    'names and times of an SOA',
    ['@ SOA ns1 first\\.last 7 3H 10m 2w 1d'],
    ['example.org 60 SOA ns1.example.org first\\.last.example.org 7 10800 600 1209600 86400'],
  ],
  [
    'names after a relative and the root $ORIGIN',
    ['$ORIGIN sub', 'a CNAME b', '$origin .', 'b.example.org CNAME c.example.net'],
    ['a.sub.example.org 60 CNAME b.sub.example.org', 'b.example.org 60 CNAME c.example.net'],
  ],
  [
    'a $TTL in the middle',
    ['a A 192.0.2.1', '$TTL 1m30s', 'b A 192.0.2.2'],
    ['a.example.org 60 A 192.0.2.1', 'b.example.org 90 A 192.0.2.2'],
  ],
  [
    'parentheses over lines',
    ['a ( MX', '10 ; a comment', '(mail', ') )', 'b A 192.0.2.1'],
    ['a.example.org 60 MX 10 mail.example.org', 'b.example.org 60 A 192.0.2.1'],
  ],
  [
    'quoted specials',
    ['a TXT "a;b (c) d" "second  part"', 'b TXT "(" \\" \\( \\;'],
    ['a.example.org 60 TXT "a;b (c) d" "second  part"', 'b.example.org 60 TXT "(" "\\"" "(" ";"'],
  ],
  [
    'words of text without quotes',
    ['a TXT two words;comment', 'b TXT \\032 \\\\ \\"'],
    ['a.example.org 60 TXT "two" "words"', 'b.example.org 60 TXT " " "\\\\" "\\""'],
  ],
  [
    'a quoted value within a word',
    ['a HTTPS 1 . alpn="h2,h3" port=8443'],
    ['a.example.org 60 HTTPS 1 . alpn=h2,h3 port=8443'],
  ],
  ['an unknown type', ['a TYPE65280 \\# 2 AB CD'], ['a.example.org 60 TYPE65280 \\# 2 abcd']],
  [
    'texts as generic data',
    [
      ...['a TXT \\# 4 03616263', 'b SPF ( \\# 7 0676', '3d73706631 )', 'c TXT \\# 5 01610162 00'],
      ...['d TXT "\\# 4" x', 'e TXT \\# x', 'f TXT \\# "4" x'],
    ],
    [
      ...['a.example.org 60 TXT "abc"', 'b.example.org 60 SPF "v=spf1"'],
      ...['c.example.org 60 TXT "a" "b" ""', 'd.example.org 60 TXT "# 4" "x"'],
      ...['e.example.org 60 TXT "#" "x"', 'f.example.org 60 TXT "#" "4" "x"'],
    ],
  ],
  [
    'known types as generic data, and by number',
    [
      ...['a CLASS1 TYPE1 \\# 4 C0000201', 'b A ( \\# 4 C000', '0202 )', 'c type15 10 mail'],
      'd MX \\# 6 000a 026D7800',
      ...[
        'e TYPE16 \\# 4 03616263',
        'f TYPE65401 \\# 7 0161 03 6F726700',
        ';disabled g 60 IN TYPE1 192.0.2.3',
      ],
    ],
    [
      ...['a.example.org 60 A 192.0.2.1', 'b.example.org 60 A 192.0.2.2'],
      ...['c.example.org 60 MX 10 mail.example.org', 'd.example.org 60 MX 10 mx'],
      ...['e.example.org 60 TXT "abc"', 'f.example.org 60 ALIAS a.org'],
      'disabled g.example.org 60 A 192.0.2.3',
    ],
  ],
  [
    'a gateway that is a name',
    ['a IPSECKEY 10 3 2 gw AQID', 'b IPSECKEY 10 1 2 192.0.2.1 AQID'],
    [
      'a.example.org 60 IPSECKEY 10 3 2 gw.example.org AQID',
      'b.example.org 60 IPSECKEY 10 1 2 192.0.2.1 AQID',
    ],
  ],
  [
    'a disabled record, which changes no owner',
    ['a A 192.0.2.1', ';disabled  b 300 IN MX ( 5 mail ) ; off', ' A 192.0.2.2'],
    [
      'a.example.org 60 A 192.0.2.1',
      'disabled b.example.org 300 MX 5 mail.example.org',
      'a.example.org 60 A 192.0.2.2',
    ],
  ],
  [
    'comments that only look like disabled records',
    [
      ...['; disabled b 300 IN A 192.0.2.1', ';disabled b IN A 192.0.2.1', ';disabled'],
      ...[';disabled ;b 300 IN A 192.0.2.1', ';disabled ( 300 IN A 192.0.2.1 )', 'a A 192.0.2.1'],
    ],
    ['a.example.org 60 A 192.0.2.1'],
  ],
  [
    'a text in pieces that are one string',
    [`a TXT "${'x'.repeat(255)}" "y" ;joined`, `b TXT "x" "y" ;joined`],
    [`a.example.org 60 TXT "${'x'.repeat(255)}y"`, 'b.example.org 60 TXT "x" "y"'],
  ],
  [
    'the SOA again',
    [`@ SOA ns1.example.org. hostmaster.example.org. 1 2 3 4 5`, `@ SOA ns1 hostmaster 1 2 3 4 5`],
    [`example.org 60 SOA ${SOA}`],
  ],
  [
    'a name whose final dot may be forgotten',
    ['a CNAME b.example.org', 'c.example.org A 192.0.2.1'],
    [
      'a.example.org 60 CNAME b.example.org.example.org',
      'c.example.org.example.org 60 A 192.0.2.1',
      `warning: Line 2, column 9: Field 'name': "b.example.org" is read as b.example.org.example.org; is a final dot missing?`,
      `warning: Line 3, column 1: Field 'name': "c.example.org" is read as c.example.org.example.org; is a final dot missing?`,
    ],
  ],
]

test.group('zone files: records', () => {
  test('{0} is read')
    .with(RULES.map((rule) => rule))
    .run(({ assert }, [, lines, expected]) => {
      assert.deepEqual(summary(lines), expected)
    })

  test('a byte order mark, "\\r\\n" and a missing last line break are ignored', ({ assert }) => {
    const text = '\ufeff$TTL 5\r\na A 192.0.2.1\r\nb A 192.0.2.2'
    const { records, problems } = parseZoneFile(text, { origin: APEX })
    assert.deepEqual(problems, [])
    assert.deepEqual(
      records.map(({ name, line }) => [name, line]),
      [
        ['a.example.org', 2],
        ['b.example.org', 3],
      ]
    )
  })

  test('an empty file has no records', ({ assert }) => {
    const empty = { records: [], rrsets: [], problems: [], comments: [] }
    for (const text of ['', '\n', '; nothing', '()\n', '   \n\t\n']) {
      assert.deepEqual(parseZoneFile(text, { origin: APEX }), empty)
    }
  })
})

test.group('zone files: missing TTLs', () => {
  const ttls = (text: string) =>
    parseZoneFile(text, { origin: APEX }).records.map(({ type, ttl }) => `${type} ${ttl}`)

  test('the last $TTL has priority over the last stated TTL', ({ assert }) => {
    assert.deepEqual(ttls('$TTL 7\na 9 A 192.0.2.1\na AAAA 2001:db8::1'), ['A 9', 'AAAA 7'])
  })

  test('without $TTL the last stated TTL applies', ({ assert }) => {
    assert.deepEqual(ttls('a 9 A 192.0.2.1\na AAAA 2001:db8::1'), ['A 9', 'AAAA 9'])
  })

  test('a first SOA record without a TTL gets its minimum, and so do records without a TTL after it', ({
    assert,
  }) => {
    const text = '@ SOA a b 1 2 3 4 55\n@ NS ns\nns 9 A 192.0.2.1\nns AAAA 2001:db8::1'
    assert.deepEqual(ttls(text), ['SOA 55', 'NS 55', 'A 9', 'AAAA 55'])
  })
})

test.group('zone files: streams', () => {
  const lines = [
    '$TTL 5',
    'a TXT ( "one"',
    ' "two" ) ; note',
    ';disabled b 5 IN A 192.0.2.1',
    'c x',
  ]
  const text = lines.join('\r\n')
  // Parsed in each test, because messages list the types that are registered at that time.
  const readWhole = () => [...readZoneText([text], { origin: APEX })]

  test('chunks may end anywhere', async ({ assert }) => {
    const whole = readWhole()
    assert.lengthOf(whole, 3)
    for (const size of [1, 2, 3, 7]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      assert.deepEqual([...readZoneText(chunks, { origin: APEX })], whole)
      const found = []
      for await (const item of readZoneFile(chunks, { origin: APEX })) found.push(item)
      assert.deepEqual(found, whole)
    }
  })

  test('an asynchronous source gives the same result', async ({ assert }) => {
    async function* source() {
      yield* text
    }
    const gathered = await gatherZoneFile(source(), { origin: APEX })
    assert.deepEqual(gathered, parseZoneFile(text, { origin: APEX }))
  })
})

test.group('zone files: RRsets', () => {
  test('records of an RRset get the lowest TTL, with one warning', ({ assert }) => {
    const zone = parse(['a 30 A 192.0.2.1', 'a 20 A 192.0.2.2', 'a 40 A 192.0.2.3'])
    assert.deepEqual(zone.rrsets[0].ttl, 20)
    assert.deepEqual(
      zone.problems.map(({ severity, line, message }) => [severity, line, message]),
      [
        [
          'warning',
          3,
          "Line 3: Field 'ttl': a.example.org A has TTL 30 on line 2 and 20 here; the lowest is used (RFC 2181, 5.2)",
        ],
      ]
    )
  })

  test('a duplicate record is read once, with a warning', ({ assert }) => {
    const { rrsets, problems, comments } = parse([
      'a MX 1 b',
      'a MX 1 b ; why',
      ';disabled a 60 IN MX 1 b',
    ])
    assert.deepEqual(rrsets[0].records, [
      { content: 'b.example.org', priority: 1, disabled: false },
      { content: 'b.example.org', priority: 1, disabled: true },
    ])
    assert.deepEqual(
      comments.map(({ disabled, inline }) => [disabled, inline]),
      [[false, 'why']]
    )
    assert.equal(
      problems[0].message,
      'Line 3: repeats the MX record "b.example.org" of line 2; only one is used (RFC 2181, 5)'
    )
  })

  test('warnings about RRsets are limited', ({ assert }) => {
    const { problems } = parse(Array(6).fill('a A 192.0.2.1'), { problems: 2 })
    assert.deepEqual(
      problems.map(({ line, message }) => [line, message.slice(0, 50)]),
      [
        [3, 'Line 3: repeats the A record "192.0.2.1" of line 2'],
        [4, 'Line 4: repeats the A record "192.0.2.1" of line 2'],
        [7, "Line 7: 3 more warnings about records; the limit '"],
      ]
    )
  })
})

test.group('zone files: comments', () => {
  const commentsOf = (lines: string[]) =>
    parse(lines).comments.map(({ name, above, inline }) => [name.slice(0, 1), above, inline])

  test('comments on the line and directly above belong to the record', ({ assert }) => {
    const lines = ['; one', ';;  two ', 'a A 192.0.2.1 ; three; "four', '; five', 'b A 192.0.2.2']
    assert.deepEqual(commentsOf(lines), [
      ['a', ['one', 'two'], 'three; "four'],
      ['b', ['five'], ''],
    ])
  })

  test('comments of all lines of a record are joined', ({ assert }) => {
    assert.deepEqual(commentsOf(['a MX ( ; one', '; two', '1 b ) ;', '']), [['a', [], 'one; two']])
  })

  test('comments above an empty line, a directive or an invalid record belong to none', ({
    assert,
  }) => {
    const lines = [
      '; 1',
      '',
      'a A 192.0.2.1',
      '; 2',
      '$TTL 5',
      'b A 192.0.2.1',
      '; 3',
      'c',
      'd A 192.0.2.1',
    ]
    assert.deepEqual(commentsOf(lines), [])
  })

  test('a long block belongs to no record and gets a warning', ({ assert }) => {
    const { comments, problems } = parse([...BLOCK, 'a A 192.0.2.1'])
    assert.deepEqual(comments, [])
    assert.deepEqual(
      problems.map(({ line, message }) => [line, message]),
      [
        [
          2,
          'Line 2: more than 50 comment lines are above line 53; they belong to no record and are skipped',
        ],
      ]
    )
    assert.lengthOf(parse([...BLOCK.slice(1), 'a A 192.0.2.1']).comments[0].above, 50)
  })
})
