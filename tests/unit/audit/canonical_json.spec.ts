import { test } from '@japa/runner'
import fc from 'fast-check'
import { canonicalJson, type Json } from '#audit/canonical_json'

/** A value and its canonical text. The first three are from RFC 8785, section 3.2. */
const TEXTS: [value: Json, text: string][] = [
  [
    { numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001] },
    '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
  ],
  [{ string: '€$\u000f\nA\'B"\\\\"/' }, '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'],
  [
    { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 },
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}',
  ],
  [{ b: undefined, a: [] }, '{"a":[]}'],
  [[true, false, null, {}], '[true,false,null,{}]'],
  [-0, '0'],
  ['\ud800', '"\\ud800"'],
]

test.group('Canonical JSON', () => {
  for (const [value, text] of TEXTS) {
    test(`a value has one canonical text: ${text}`, ({ assert }) => {
      assert.equal(canonicalJson(value), text)
    })
  }

  test('the text does not depend on the order of members, and parses to the same value', ({
    assert,
  }) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json)
        assert.equal(canonicalJson(reversed(value as Json)), text)
        assert.equal(canonicalJson(JSON.parse(text)), text)
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      })
    )
  })

  test('numbers that JSON cannot represent are refused', ({ assert }) => {
    for (const number of [Number.NaN, Infinity]) {
      assert.throws(() => canonicalJson({ number }), /is not a JSON number/)
    }
  })
})

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member ?? null)]))
}
