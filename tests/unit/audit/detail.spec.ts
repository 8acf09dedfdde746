import { test } from '@japa/runner'
import type { Json } from '#audit/canonical_json'
import { detailText } from '#audit/detail'

const parsedDetail = (detail: Record<string, Json>) => JSON.parse(detailText(detail))

test.group('Details of audit events', () => {
  test('members keep one order', ({ assert }) => {
    assert.equal(detailText({ b: 1, a: [true, null], c: undefined }), '{"a":[true,null],"b":1}')
  })

  test('members named like a secret, and every API key, are masked', ({ assert }) => {
    const key = `pwa_${'0123456789abcdef'.repeat(4)}`
    const text = detailText({
      password: 'canary',
      user: { new_password: 'canary', api_token: 'canary' },
      list: [{ secret: 'canary' }, `with ${key}`],
      note: key,
    })
    assert.notInclude(text, 'canary')
    assert.notInclude(text, key.slice(12))
    assert.include(text, 'pwa_01234567********')
  })

  test('long, deep or large details are truncated and never refused', ({ assert }) => {
    assert.equal(parsedDetail({ text: 'x'.repeat(10_000) }).text, `${'x'.repeat(256)}…`)
    const items = parsedDetail({ items: Array.from({ length: 250 }, (_, index) => index) }).items
    assert.lengthOf(items, 101)
    assert.equal(items[100], '… 150 more')
    assert.deepEqual(parsedDetail({ a: { b: { c: { d: { e: 1 } } } } }), {
      a: { b: { c: { d: '…' } } },
    })
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`m${i}`, 'y'.repeat(99)])
    )
    assert.sameMembers(Object.keys(parsedDetail(many)), ['left_out'])
  })

  test('text of a caller is always one JSON string', ({ assert }) => {
    const forged = 'x","outcome":"success\nuser:admin \0'
    assert.deepEqual(parsedDetail({ reason: forged }), { reason: forged })
    assert.notMatch(detailText({ reason: forged }), /\p{Cc}/u)
  })
})
