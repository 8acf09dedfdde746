import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { retryOnConflict } from '#database/conflicts'
import { isReadWhole } from '#accounts/passwords/bcrypt'
import { readHash } from '#accounts/passwords/formats'
import { isOutdated, makeHash } from '#accounts/passwords/hashes'

/**
 * Replaces a stored hash of an older form by one of the current form, now that the password is known to fit it;
 * not when somebody set another password meanwhile. Returns the hash that is stored now. To be called in a slot
 * (`inSlot`). A database that does not take it is no reason not to let anybody in.
 */
export async function renewHash(userId: number, stored: string, password: string): Promise<string> {
  if (!isOutdated(stored) || !isWhollyChecked(stored, password)) {
    return stored
  }
  const renewed = await makeHash(password)
  try {
    const changed: unknown = await retryOnConflict(() =>
      db.from('zw_users').where({ id: userId, password: stored }).update({ password: renewed })
    )
    return Number(changed) > 0 ? renewed : stored
  } catch (error) {
    logger.warn({ err: error }, 'The hash of a password was not renewed')
    return stored
  }
}

/** bcrypt ignores what follows 72 bytes: a new hash would fix something there that nobody compared. */
function isWhollyChecked(stored: string, password: string): boolean {
  return readHash(stored)?.kind !== 'bcrypt' || isReadWhole(password)
}
