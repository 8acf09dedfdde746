import { test } from '@japa/runner'
import { checkPassword, generatePassword, type PasswordPolicy } from '#accounts/passwords/policy'
import security from '#config/security'
import { Refusal } from '#exceptions/refusal'

const RULES: PasswordPolicy = { ...security.password_policy, enable_password_rules: true }
const ALL: PasswordPolicy = {
  ...RULES,
  require_uppercase: true,
  require_lowercase: true,
  require_numbers: true,
  require_special: true,
}

/** Returns the policy's error for a password; null if it is allowed. */
function policyError(password: string, policy?: PasswordPolicy, username = 'carol'): string | null {
  try {
    checkPassword(password, { username }, policy)
    return null
  } catch (error) {
    return error instanceof Refusal && error.status === 400 ? error.message : String(error)
  }
}

test.group('Passwords | policy', () => {
  test('the default policy only refuses unusable passwords', ({ assert }) => {
    for (const password of ['abc', 'Secret123', 'carol', 'ü', 'x'.repeat(1024)]) {
      assert.isNull(policyError(password), password)
    }
    assert.match(policyError('')!, /'password' must not be empty/)
    assert.match(policyError('a\u0000b')!, /control/)
    assert.match(policyError('a\nb')!, /control/)
    assert.match(policyError('x'.repeat(1025))!, /1025 characters.*1024/)
  })

  for (const [password, policy, expectedText] of [
    ['elevenchars', RULES, /11 characters.*12/],
    ['ünïcödé-ünïc', RULES, null],
    ['I am Carol, hi', RULES, /user name/],
    ['alllowercase1!', ALL, /upper case/],
    ['ALLUPPERCASE1!', ALL, /lower case/],
    ['No digits here!', ALL, /digit/],
    ['Nothing special 1', ALL, /other than a letter, digit or space/],
    ['All of it, 1 time', ALL, null],
  ] as [string, PasswordPolicy, RegExp | null][]) {
    test(`"${password}" is ${expectedText ? 'refused' : 'accepted'}`, ({ assert }) => {
      const answer = policyError(password, policy)
      if (expectedText) {
        assert.match(answer!, expectedText)
        assert.notInclude(answer!, password)
      } else {
        assert.isNull(answer)
      }
    })
  }

  test('a password may contain a short user name', ({ assert }) => {
    assert.isNull(policyError('ab and more words', RULES, 'ab'))
  })

  test('a generated password satisfies every policy and is new each time', ({ assert }) => {
    const policies = [security.password_policy, RULES, ALL, { ...ALL, min_length: 128 }]
    for (const policy of policies) {
      const password = generatePassword('carol', policy)
      assert.isNull(policyError(password, policy))
      assert.isAtLeast(password.length, 20)
      assert.notEqual(password, generatePassword('carol', policy))
    }
  })
})
