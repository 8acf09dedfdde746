import type { Decision } from '#access/authorize'
import { isPermission, type Permission } from '#access/permissions'

/** Why a control is of no use to somebody, as `@!denied` shows it. */
export interface Denial {
  /** In English, as the decision says it. */
  messages: string[]
  /** Rights of which one would do. */
  rights: Permission[]
  /** Key of the catalogue: who can give it; null where nobody can. */
  advice: 'denied.by_right' | 'denied.by_administrator' | null
}

/** What to say of a decision; null where it allows. */
export function denialOf({ allowed, reasons }: Decision): Denial | null {
  if (allowed) {
    return null
  }
  const named = reasons.flatMap(({ source }) => source.match(/[a-z_]+/g) ?? []).filter(isPermission)
  const rights = [...new Set(named)]
  const isForAdministrators = rights.length === 1 && rights[0] === 'user_is_ueberuser'
  const byRight = rights.length > 0 ? 'denied.by_right' : null
  return {
    messages: [...new Set(reasons.map(({ message }) => message))],
    rights,
    advice: isForAdministrators ? 'denied.by_administrator' : byRight,
  }
}
