import { test } from '@japa/runner'
import { VerifiedPasswords } from '#accounts/sign_in/verified_passwords'

const VERIFIED = { userId: 1, stored: 'hash', password: 'secret' }

test.group('Passwords | cached verifications', () => {
  test('a cached verification requires the same user, stored hash and password', ({ assert }) => {
    const verified = new VerifiedPasswords()
    assert.isFalse(verified.has(VERIFIED))
    verified.add(VERIFIED)
    assert.isTrue(verified.has(VERIFIED))
    assert.isTrue(verified.has(VERIFIED))
    assert.isFalse(verified.has({ ...VERIFIED, userId: 2 }))
    assert.isFalse(verified.has({ ...VERIFIED, stored: 'other' }))
    assert.isFalse(verified.has({ ...VERIFIED, password: 'Secret' }))
  })

  test('parts of the key cannot be shifted into each other', ({ assert }) => {
    const verified = new VerifiedPasswords()
    verified.add({ userId: 1, stored: 'a","b', password: 'c' })
    assert.isFalse(verified.has({ userId: 1, stored: 'a', password: 'b","c' }))
  })

  test('a lookup does not extend the lifetime', ({ assert }) => {
    let now = 1_000
    const verified = new VerifiedPasswords(60, 10, () => now)
    verified.add(VERIFIED)
    now = 1_040
    assert.isTrue(verified.has(VERIFIED))
    now = 1_080
    assert.isFalse(verified.has(VERIFIED))
  })

  test('the least recently used entries are dropped first', ({ assert }) => {
    const verified = new VerifiedPasswords(60_000, 2)
    const of = (userId: number) => ({ ...VERIFIED, userId })
    verified.add(of(1))
    verified.add(of(2))
    assert.isTrue(verified.has(of(1)))
    verified.add(of(3))
    assert.deepEqual(
      [1, 2, 3].map((id) => verified.has(of(id))),
      [true, false, true]
    )
  })
})
