import db from '@adonisjs/lucid/services/db'
import { hasAdministrator } from '#accounts/users/last_administrator'

/**
 * Whether an installation begins: `fresh` where there is nobody at all, `headless` where there are users and none of them
 * is active and may do everything, `begun` otherwise.
 */
export type FirstRunState = 'fresh' | 'headless' | 'begun'

// The last administrator cannot be taken away, so that what was seen once stays true.
let isBegun = false

/** Where this installation is. Once it has an administrator, nothing is asked any more. */
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

/** Asks anew next time. For tests, which take users away as nobody else can. */
export function forgetFirstRunState(): void {
  isBegun = false
}
