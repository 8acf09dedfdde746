import { test } from '@japa/runner'
import { VerifiedPasswords } from '#accounts/sign_in/verified_passwords'

const SEEN = { userId: 1, stored: 'hash', password: 'secret' }

test.group('Passwords | verified a short while ago', () => {
  test('only the same user, stored hash and password count', ({ assert }) => {
    const verified = new VerifiedPasswords()
    assert.isFalse(verified.has(SEEN))
    verified.add(SEEN)
    assert.isTrue(verified.has(SEEN))
    assert.isTrue(verified.has(SEEN))
    assert.isFalse(verified.has({ ...SEEN, userId: 2 }))
    assert.isFalse(verified.has({ ...SEEN, stored: 'other' }))
    assert.isFalse(verified.has({ ...SEEN, password: 'Secret' }))
  })

  test('parts cannot be shifted into one another', ({ assert }) => {
    const verified = new VerifiedPasswords()
    verified.add({ userId: 1, stored: 'a","b', password: 'c' })
    assert.isFalse(verified.has({ userId: 1, stored: 'a', password: 'b","c' }))
  })

  test('asking does not prolong it', ({ assert }) => {
    let now = 1_000
    const verified = new VerifiedPasswords(60, 10, () => now)
    verified.add(SEEN)
    now = 1_040
    assert.isTrue(verified.has(SEEN))
    now = 1_080
    assert.isFalse(verified.has(SEEN))
  })

  test('the least lately used ones go first', ({ assert }) => {
    const verified = new VerifiedPasswords(60_000, 2)
    const of = (userId: number) => ({ ...SEEN, userId })
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
