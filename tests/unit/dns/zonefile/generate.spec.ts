import { test } from '@japa/runner'
import { parse, summary } from './helpers.js'

const VALUES: [directive: string, expected: string[]][] = [
  ['1-3 h$ A 192.0.2.$', ['h1 A 192.0.2.1', 'h2 A 192.0.2.2', 'h3 A 192.0.2.3']],
  ['1-6/2 h$ A 192.0.2.$', ['h1 A 192.0.2.1', 'h3 A 192.0.2.3', 'h5 A 192.0.2.5']],
  ['5-5/9 h$ A 192.0.2.$', ['h5 A 192.0.2.5']],
  ['0-0 h-${10,4,d}x A 192.0.2.1', ['h-0010x A 192.0.2.1']],
  ['9-10 h${-9,0} A 192.0.2.1', ['h0 A 192.0.2.1', 'h1 A 192.0.2.1']],
  ['8-8 h${0,3,o} A 192.0.2.1', ['h010 A 192.0.2.1']],
  ['171-171 ${0,4,x} TXT ${0,0,X}', ['00ab TXT "AB"']],
  ['18-18 ${0,0,n}.e TXT ${0,7,N} ${0,6,n} ${0,2,n}', ['2.1.e TXT "2.1.0.0" "2.1.0." "2.1"']],
  ['1-1 a$ TXT "$ \\$ $$ \\" ;()"', ['a1 TXT "1 $ $ \\" ;()"']],
  ['1-1 a$ TXT \\\\$', ['a1 TXT "\\\\1"']],
  ['1-1 a$ MX "10 mail$"', ['a1 MX 10 mail1.example.org']],
  ['1-1 a$ CAA "0 issue \\"ca$.example\\""', ['a1 CAA 0 issue "ca1.example"']],
  // BIND: the outer quotes belong to the right-hand side.
  ['1-2 s$ TXT "\\"a $\\""', ['s1 TXT "a 1"', 's2 TXT "a 2"']],
  ['1-1 s$ TXT "\\"a $\\" \\"b;c\\""', ['s1 TXT "a 1" "b;c"']],
  ['1-1 s$ SPF "\\"v=spf1 ip4:192.0.2.$\\""', ['s1 SPF "v=spf1 ip4:192.0.2.1"']],
  ['1-1 s$ TXT "say \\"$\\""', ['s1 TXT "say \\"1\\""']],
  ['1-1 s$ TXT "plain $"', ['s1 TXT "plain 1"']],
  ['1-1 a$ HINFO "a b" "c $"', ['a1 HINFO "a b" "c 1"']],
  ['1-1 $ PTR host-$.example.net.', ['1 PTR host-1.example.net']],
]

test.group('zone files: $GENERATE', () => {
  test('{0} generates its records')
    .with(VALUES)
    .run(({ assert }, [directive, expected]) => {
      const found = summary([`$GENERATE ${directive}`])
      assert.deepEqual(
        found.map((it) => it.replace('.example.org 60', '')),
        expected
      )
    })

  test('TTL and class are applied, and all records have the line of the directive', ({
    assert,
  }) => {
    const { records } = parse(['', '$generate 1-2 h$ 1h IN A 192.0.2.$ ; comment'])
    assert.deepEqual(
      records.map(({ ttl, line, comment }) => [ttl, line, comment]),
      [
        [3600, 3, undefined],
        [3600, 3, undefined],
      ]
    )
  })

  test('the directive ends at its first error', ({ assert }) => {
    const { records, problems } = parse(['$GENERATE 250-300 h$ A 192.0.2.$', 'a A 192.0.2.1'])
    assert.lengthOf(records, 7)
    assert.lengthOf(problems, 1)
  })
})
