import type { Actor } from '#access/actor'

/** Whether somebody may use the web interface only with a second factor: their template, or that of a group, says so. */
export function mustHaveSecondFactor({ permissions, groups }: Actor): boolean {
  return [permissions, ...groups.map((group) => group.permissions)].some((held) =>
    held.has('user_enforce_mfa')
  )
}
