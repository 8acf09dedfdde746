import { randomBytes } from 'node:crypto'
import security from '#config/security'
import { invalid } from '#exceptions/refusal'

export type PasswordPolicy = typeof security.password_policy

/** A user name shorter than this is found in too much to be refused. */
const SHORTEST_NAME = 3
/** Characters of six bits: 120 bits and more. */
const GENERATED_LENGTH = 20

/**
 * Refuses a new password that breaks the policy (`security.password_policy`): a 400 that says what it lacks
 * and never shows it. Every place that sets a password calls it.
 */
export function checkPassword(
  password: string,
  { username }: { username: string },
  policy: PasswordPolicy = security.password_policy
): void {
  const problem = problemOf(password, username, policy)
  if (problem) {
    throw invalid(`Field 'password' ${problem}`)
  }
}

/** A random password that fits the policy. */
export function makePassword(
  username: string,
  policy: PasswordPolicy = security.password_policy
): string {
  const length = Math.max(GENERATED_LENGTH, policy.min_length)
  for (;;) {
    const password = randomBytes(length).toString('base64url').slice(0, length)
    if (problemOf(password, username, policy) === undefined) {
      return password
    }
  }
}

function problemOf(password: string, username: string, policy: PasswordPolicy): string | undefined {
  const length = [...password].length
  if (length === 0) {
    return 'must not be empty'
  }
  if (/\p{Cc}/u.test(password)) {
    // RFC 7617, section 2: HTTP Basic could not carry it.
    return 'must not contain control characters'
  }
  if (length > policy.max_length) {
    return `has ${length} characters; allowed are at most ${policy.max_length}`
  }
  return policy.enable_password_rules ? ruleBroken(password, username, policy) : undefined
}

function ruleBroken(
  password: string,
  username: string,
  policy: PasswordPolicy
): string | undefined {
  const length = [...password].length
  if (length < policy.min_length) {
    return `has ${length} characters; at least ${policy.min_length} are needed`
  }
  const needed = [
    { isOn: policy.require_uppercase, pattern: /\p{Lu}/u, what: 'an upper case letter' },
    { isOn: policy.require_lowercase, pattern: /\p{Ll}/u, what: 'a lower case letter' },
    { isOn: policy.require_numbers, pattern: /\p{Nd}/u, what: 'a digit' },
    {
      isOn: policy.require_special,
      pattern: /[^\p{L}\p{N}\s]/u,
      what: 'a character that is neither letter, digit nor blank',
    },
  ]
  const missing = needed.find(({ isOn, pattern }) => isOn && !pattern.test(password))
  if (missing) {
    return `needs ${missing.what}`
  }
  const name = username.toLowerCase()
  const isNamed = name.length >= SHORTEST_NAME && password.toLowerCase().includes(name)
  return policy.refuse_username && isNamed ? 'must not contain the user name' : undefined
}
