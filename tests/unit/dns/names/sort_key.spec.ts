import { test } from '@japa/runner'
import fc from 'fast-check'
import { naturalSortKey, zoneSortKey } from '#dns/names/sort_key'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

const byKey = (key: (text: string) => string) => (one: string, other: string) =>
  Buffer.compare(Buffer.from(key(one)), Buffer.from(key(other)))

/** A slow reference of the natural order: digits compare as numbers, all else by character. */
function compareNaturally(one: string, other: string): number {
  const parts = (text: string) => text.toLowerCase().match(/\d+|\D/g) ?? []
  const [left, right] = [parts(one), parts(other)]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    if (left[at] === right[at]) continue
    const numbers = [left[at], right[at]].every((part) => /^\d/.test(part))
    const difference = numbers
      ? BigInt(left[at]) - BigInt(right[at])
      : BigInt(left[at].charCodeAt(0) - right[at].charCodeAt(0))
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  return Math.sign(left.length - right.length)
}

const digits = fc.stringMatching(/^[0-9]{1,20}$/)
const name = fc
  .array(fc.oneof(digits, fc.constantFrom(...'ab-._/*Z'), fc.constantFrom('host', 'HOST', '00')))
  .map((parts) => parts.join('').slice(0, 253))

test.group('natural sort keys', () => {
  test('{$self} is in order')
    .with([
      ['host2', 'host10', 'host100', 'host1000', 'host10000'],
      ['a', 'A1', 'a2', 'A10', 'b'],
      ['1', '9', '10', '99', '100', '999', '1000', '9999', '10000', '99999', '100000'],
      ['9'.repeat(13), `1${'0'.repeat(13)}`, '9'.repeat(14), '9'.repeat(63), '9'.repeat(253)],
      ['192.0.2.9', '192.0.2.10', '192.0.10.1'],
      ['ns', 'ns-1', 'ns.example', 'ns1', 'ns2', 'ns_1', 'nsa'],
      ['v1.9-rc1', 'v1.9-rc2', 'v1.10-rc1'],
      ['zürich', 'ärzte'],
    ])
    .run(({ assert }, texts) => {
      for (const shuffled of [texts.toReversed(), texts.toSorted()]) {
        assert.deepEqual(shuffled.sort(byKey(naturalSortKey)), texts)
      }
    })

  test('texts that differ in case or leading zeros have equal keys', ({ assert }) => {
    assert.equal(naturalSortKey('Host007'), naturalSortKey('hOST7'))
    assert.equal(naturalSortKey('a000'), naturalSortKey('a0'))
  })

  test('the order of keys equals the natural order of names', ({ assert }) => {
    const law = fc.property(name, name, (one, other) => {
      const order = byKey(naturalSortKey)(one, other)
      assert.equal(Math.sign(order), compareNaturally(one, other))
    })
    fc.assert(law, LAW_RUNS)
  })

  test('numbers of any length are in order', ({ assert }) => {
    const number = fc.bigInt({ min: 0n, max: 10n ** 60n })
    const law = fc.property(fc.oneof(fc.nat(20000).map(BigInt), number), number, (one, other) => {
      const expected = one < other ? -1 : Number(one > other)
      assert.equal(byKey(naturalSortKey)(String(one), String(other)), expected)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('a key is not longer than its name, and is printable ASCII', ({ assert }) => {
    const law = fc.property(name, (text) => {
      const key = naturalSortKey(text)
      assert.isAtMost(key.length, text.length)
      assert.match(key, /^[!-~]*$/)
      assert.isAtMost(zoneSortKey(`${text.slice(0, 240)}.in-addr.arpa`).length, 255)
      assert.isAtMost(zoneSortKey(`${text.slice(0, 240)}.ip6.arpa`).length, 255)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('any text has a key of at most 255 characters', ({ assert }) => {
    const text = fc.string({ unit: 'binary', maxLength: 2000, size: 'max' })
    const law = fc.property(text, (given) => {
      const key = naturalSortKey(given)
      assert.isAtMost(key.length, 255)
      assert.equal(naturalSortKey(given), key)
    })
    fc.assert(law, LAW_RUNS)
    assert.isAtMost(naturalSortKey('İ'.repeat(255)).length, 255)
    assert.equal(naturalSortKey(`${'a'.repeat(254)}🦊`), 'a'.repeat(254))
    assert.isAtMost(naturalSortKey('9'.repeat(100_000)).length, 255)
  })
})

test.group('sort keys of zones', () => {
  test('names sort in natural order, then reverse zones by network', ({ assert }) => {
    const zones = [
      '2.example',
      '10.example',
      'example.net',
      'example.org',
      'zz.example',
      'in-addr.arpa',
      '9.in-addr.arpa',
      '10.in-addr.arpa',
      '2.0.192.in-addr.arpa',
      '0/26.2.0.192.in-addr.arpa',
      '64/26.2.0.192.in-addr.arpa',
      '128/26.2.0.192.in-addr.arpa',
      '10.0.192.in-addr.arpa',
      '1.192.in-addr.arpa',
      'ip6.arpa',
      '8.b.d.0.1.0.0.2.ip6.arpa',
      '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
      'a.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
      'd.f.ip6.arpa',
    ]
    assert.deepEqual(zones.toReversed().sort(byKey(zoneSortKey)), zones)
    assert.deepEqual(zones.toSorted().sort(byKey(zoneSortKey)), zones)
  })
})
