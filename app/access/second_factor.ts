import type { Actor } from '#access/actor'

/**
 * Returns whether the user's template, or that of a group, requires a second factor for the web
 * interface.
 */
export function mustHaveSecondFactor({ permissions, groups }: Actor): boolean {
  return [permissions, ...groups.map((group) => group.permissions)].some((held) =>
    held.has('user_enforce_mfa')
  )
}
