import { maintainer } from '#access/actor'
import * as accounts from '#accounts/users/account_state'

/** Sets the password of a user on the command line. */
export const setPassword = (username: string, password: string) =>
  accounts.setPassword(username, password, maintainer())

/** Activates or deactivates a user on the command line. */
export const setActive = (username: string, active: boolean) =>
  accounts.setActive(username, active, maintainer())
