import { createHmac } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import User from '#models/user'
import { derivedKey } from '#support/derived_key'

/**
 * Something that is another one as soon as the password of an account is, and tells nothing of it.
 *
 * @param stored the stored hash; null for none
 * @param more what it is bound to besides
 */
export function passwordMark(stored: string | null, ...more: (string | null)[]): string {
  const text = JSON.stringify([stored, ...more])
  return createHmac('sha256', derivedKey('password mark')).update(text).digest('hex')
}

/** Of the password of a user who may sign in with it; null for all others. */
export async function markOfUser(
  userId: number,
  client: QueryClientContract = db.connection()
): Promise<string | null> {
  const user = await User.find(userId, { client })
  return user?.active && user.password !== null ? passwordMark(user.password) : null
}
