import { createHmac } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import User from '#models/user'
import { derivedKey } from '#support/derived_key'

/**
 * Returns a value that changes with the password of an account, and does not reveal the password.
 *
 * @param stored the stored hash; null for none
 * @param more further values that the result depends on
 */
export function passwordVersion(stored: string | null, ...more: (string | null)[]): string {
  const text = JSON.stringify([stored, ...more])
  return createHmac('sha256', derivedKey('password mark')).update(text).digest('hex')
}

/** Returns the version for a user who may sign in with a password; null for others. */
export async function passwordVersionOf(
  userId: number,
  client: QueryClientContract = db.connection()
): Promise<string | null> {
  const user = await User.find(userId, { client })
  return user?.active && user.password !== null ? passwordVersion(user.password) : null
}
