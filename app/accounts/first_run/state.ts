import db from '@adonisjs/lucid/services/db'
import { hasAdministrator } from '#accounts/users/last_administrator'

/** `fresh`: no users. `headless`: users, but no active administrator. `begun`: otherwise. */
export type FirstRunState = 'fresh' | 'headless' | 'begun'

// The last administrator cannot be removed, so this never becomes false again.
let hasAdministratorCached = false

/** Returns the state of the installation. Queries nothing once an administrator exists. */
export async function readFirstRunState(): Promise<FirstRunState> {
  if (hasAdministratorCached) {
    return 'begun'
  }
  hasAdministratorCached = await hasAdministrator(db.connection())
  if (hasAdministratorCached) {
    return 'begun'
  }
  const anyUser: unknown = await db.from('zw_users').select('id').first()
  return anyUser ? 'headless' : 'fresh'
}

/** Clears the cached state, for tests that delete administrators directly. */
export function forgetFirstRunState(): void {
  hasAdministratorCached = false
}
