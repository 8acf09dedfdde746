import { randomBytes } from 'node:crypto'
import security from '#config/security'
import { invalid } from '#exceptions/refusal'

export type PasswordPolicy = typeof security.password_policy

/** Shorter user names occur in too many passwords to refuse them. */
const MIN_CHECKED_NAME_CHARACTERS = 3
/** 120 bits and more: a character has 6 bits. */
const GENERATED_LENGTH = 20

/**
 * Throws a 400 if a new password breaks `security.password_policy`. The message lists the missing
 * parts, not the password. All changes of passwords call it.
 */
export function checkPassword(
  password: string,
  { username }: { username: string },
  policy: PasswordPolicy = security.password_policy
): void {
  const problem = findProblem(password, username, policy)
  if (problem) {
    throw invalid(`Field 'password' ${problem}`)
  }
}

/** Returns a random password that meets the policy. */
export function generatePassword(
  username: string,
  policy: PasswordPolicy = security.password_policy
): string {
  const length = Math.max(GENERATED_LENGTH, policy.min_length)
  for (;;) {
    const password = randomBytes(length).toString('base64url').slice(0, length)
    if (findProblem(password, username, policy) === undefined) {
      return password
    }
  }
}

function findProblem(
  password: string,
  username: string,
  policy: PasswordPolicy
): string | undefined {
  const length = [...password].length
  if (length === 0) {
    return 'must not be empty'
  }
  if (/\p{Cc}/u.test(password)) {
    // RFC 7617, section 2: HTTP Basic does not allow them.
    return 'must not contain control characters'
  }
  if (length > policy.max_length) {
    return `has ${length} characters; at most ${policy.max_length} are allowed`
  }
  return policy.enable_password_rules ? findBrokenRule(password, username, policy) : undefined
}

function findBrokenRule(
  password: string,
  username: string,
  policy: PasswordPolicy
): string | undefined {
  const length = [...password].length
  if (length < policy.min_length) {
    return `has ${length} characters; at least ${policy.min_length} are needed`
  }
  const requiredParts = [
    { isOn: policy.require_uppercase, pattern: /\p{Lu}/u, what: 'an upper case letter' },
    { isOn: policy.require_lowercase, pattern: /\p{Ll}/u, what: 'a lower case letter' },
    { isOn: policy.require_numbers, pattern: /\p{Nd}/u, what: 'a digit' },
    {
      isOn: policy.require_special,
      pattern: /[^\p{L}\p{N}\s]/u,
      what: 'a character other than a letter, digit or space',
    },
  ]
  const missingPart = requiredParts.find(({ isOn, pattern }) => isOn && !pattern.test(password))
  if (missingPart) {
    return `needs ${missingPart.what}`
  }
  const name = username.toLowerCase()
  const containsName =
    name.length >= MIN_CHECKED_NAME_CHARACTERS && password.toLowerCase().includes(name)
  return policy.refuse_username && containsName ? 'must not contain the user name' : undefined
}
