import { test } from '@japa/runner'
import { namedPattern, typedPattern, userPattern } from '#dns/names/policy_patterns'

test.group('Entries of update policies', () => {
  test('a name is a pattern', ({ assert }) => {
    assert.equal(namedPattern('WWW.Example.com.'), 'www.example.com')
    assert.equal(namedPattern('*.mail.example.com'), '*.mail.example.com')
    for (const text of ['', 'a b', 'host-*.example.com', '..']) {
      assert.isUndefined(namedPattern(text), text)
    }
  })

  test('types follow a name, separated by slashes', ({ assert }) => {
    assert.deepEqual(typedPattern('_acme-challenge.** txt/CNAME'), {
      name: '_acme-challenge.**',
      types: new Set(['TXT', 'CNAME']),
    })
    for (const text of ['a.test', 'a.test ', 'a.test TXT,A', 'a.test TXT A', 'TXT', 'a.test /']) {
      assert.isUndefined(typedPattern(text), text)
    }
  })

  test('users follow a name, with any characters', ({ assert }) => {
    assert.deepEqual(userPattern('*.example.org Bob Smith'), {
      name: '*.example.org',
      username: 'Bob Smith',
    })
    for (const text of ['', 'a.test', 'a.test ', ' bob']) {
      assert.isUndefined(userPattern(text), text)
    }
  })
})
