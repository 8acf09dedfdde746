import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { retryOnConflict } from '#database/conflicts'
import { isReadCompletely } from '#accounts/passwords/bcrypt'
import { parseHash } from '#accounts/passwords/formats'
import { isOutdated, hashPassword } from '#accounts/passwords/hashes'

/**
 * Replaces an outdated hash after a successful check, unless the password was changed. Returns the
 * stored hash. Must be called in a slot (`runInSlot`). A failure of the database does not prevent the
 * sign-in.
 */
export async function replaceOutdatedHash(
  userId: number,
  stored: string,
  password: string
): Promise<string> {
  if (!isOutdated(stored) || !isCompletelyChecked(stored, password)) {
    return stored
  }
  const newHash = await hashPassword(password)
  try {
    const changed: unknown = await retryOnConflict(() =>
      db.from('zw_users').where({ id: userId, password: stored }).update({ password: newHash })
    )
    return Number(changed) > 0 ? newHash : stored
  } catch (error) {
    logger.warn({ err: error }, 'Password rehash failed')
    return stored
  }
}

/** bcrypt ignores bytes after 72: a new hash would include bytes that were never checked. */
function isCompletelyChecked(stored: string, password: string): boolean {
  return parseHash(stored)?.kind !== 'bcrypt' || isReadCompletely(password)
}
