import db from '@adonisjs/lucid/services/db'
import { hasAdministrator } from '#accounts/users/last_administrator'

/** `fresh`: no users. `headless`: users, but no active administrator. `begun`: otherwise. */
export type FirstRunState = 'fresh' | 'headless' | 'begun'

// The last administrator cannot be removed, so this never becomes false again.
let isBegun = false

/** Returns the state of the installation. Queries nothing once an administrator exists. */
export async function firstRunState(): Promise<FirstRunState> {
  if (isBegun) {
    return 'begun'
  }
  isBegun = await hasAdministrator(db.connection())
  if (isBegun) {
    return 'begun'
  }
  const somebody: unknown = await db.from('zw_users').select('id').first()
  return somebody ? 'headless' : 'fresh'
}

/** Clears the cached state, for tests that delete administrators directly. */
export function forgetFirstRunState(): void {
  isBegun = false
}
