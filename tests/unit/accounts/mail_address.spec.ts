import { test } from '@japa/runner'
import { isMailAddress, isPlainWord } from '#accounts/users/mail_address'

test.group('E-mail addresses', () => {
  for (const text of [
    'ann@example.com',
    'ann+dns@example.com',
    "o'neil@example.co.uk",
    'a.b.c@sub.example.com',
    'root@localhost',
    'jörg@bücher.example',
    '用户@例え.テスト',
    `${'x'.repeat(64)}@example.com`,
    'a/b=c@example.com',
  ]) {
    test(`${text} is a valid address`, ({ assert }) => {
      assert.isTrue(isMailAddress(text))
    })
  }

  test('a local name is accepted on request, but no list of them', ({ assert }) => {
    assert.deepEqual(['ann', 'a.b', '', 'a,b', 'a b', 'a@b', '<a>'].map(isPlainWord), [
      ...[true, true],
      ...[false, false, false, false, false],
    ])
  })

  for (const text of [
    '',
    '@',
    'ann',
    'ann@',
    '@example.com',
    'manager@example.com, x@other.example',
    'manager@example.com,x@other.example',
    'manager@example.com;x@other.example',
    'Ann <ann@example.com>',
    'Ann<ann@example.com>',
    '<ann@example.com>',
    '"Ann" ann@example.com',
    '"a b"@example.com',
    'ann@example.com (home)',
    'group:ann@example.com;',
    ' ann@example.com',
    'ann@example.com ',
    'ann @example.com',
    'ann\t@example.com',
    'ann@example.com\r\nBcc: x@other.example',
    'ann@example.com\u0000',
    'ann\u202E@example.com',
    'ann\u00A0@example.com',
    'ann@x@example.com',
    'ann@[192.0.2.1]',
    'ann@example..com',
    'ann@example.com.',
    'ann@-example.com',
    '.ann@example.com',
    'a..b@example.com',
    String.raw`a\b@example.com`,
    `${'x'.repeat(65)}@example.com`,
    `ann@${'x'.repeat(64)}.com`,
    `ann@${'x.'.repeat(130)}com`,
  ]) {
    test(`${JSON.stringify(text.slice(0, 60))} is no valid address`, ({ assert }) => {
      assert.isFalse(isMailAddress(text))
    })
  }
})
