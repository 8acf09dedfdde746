import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isMailAddress, isPlainWord } from '#accounts/users/mail_address'
import { isReservedName, nameSkeleton } from '#accounts/users/name_skeleton'
import { conflict, invalid } from '#exceptions/refusal'

const MAX_USERNAME_CHARACTERS = 64

/** Throws a 400 for an invalid user name. */
export function checkUsername(username: string): void {
  if (
    !/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u.test(username) ||
    username.length > MAX_USERNAME_CHARACTERS
  ) {
    throw invalid(
      `Field 'username': ${JSON.stringify(username.slice(0, 100))} must have 1 to ${MAX_USERNAME_CHARACTERS} printable characters, without a space at the start or end`
    )
  }
  if (isReservedName(username)) {
    throw invalid(
      `Field 'username': ${JSON.stringify(username)} looks like a name that the service reserves for itself; choose another name`
    )
  }
}

/**
 * Throws a 400 unless the text is exactly one mail address.
 *
 * @param acceptsPlainWord whether to accept a plain word, to which no mail is sent
 */
export function checkEmail(email: string, acceptsPlainWord = false): void {
  if (!isMailAddress(email) && !(acceptsPlainWord && isPlainWord(email))) {
    throw invalid(
      `Field 'email': ${JSON.stringify(email.slice(0, 100))} is not an email address; allowed: one address such as ann@example.com, without a display name or spaces`
    )
  }
}

/**
 * Throws a 409 if another user has the name, a similar name, or the address. Constraints of the
 * table catch concurrent writes.
 *
 * @param names new values; absent members stay
 * @param exceptId the edited user
 */
export async function checkUnique(
  trx: TransactionClientContract,
  names: { username?: string; email?: string | null },
  exceptId = 0
): Promise<void> {
  for (const [field, fieldText] of [
    ['username', 'Username'],
    ['email', 'Email'],
  ] as const) {
    const value = names[field]
    if (value === undefined || value === null) {
      continue
    }
    const conflictingUser: { username: string } | null = await trx
      .from('zw_users')
      .where((query) => {
        void query.where(field, value)
        if (field === 'username') {
          void query
            .orWhere('username_skeleton', nameSkeleton(value))
            // Users that other programs inserted have no skeleton.
            .orWhere('username_key', value.toLowerCase())
        }
      })
      .whereNot('id', exceptId)
      .select('username')
      .first()
    if (conflictingUser) {
      const isSimilarName = field === 'username' && conflictingUser.username !== value
      const similarityText = isSimilarName
        ? `, which looks like ${JSON.stringify(conflictingUser.username)}`
        : ''
      throw conflict(`${fieldText} already exists: ${JSON.stringify(value)}${similarityText}`)
    }
  }
}
