import type { Actor } from '#access/actor'
import { authorize, type AccessRequest, type Decision } from '#access/authorize'
import { isPermission, type Permission } from '#access/permissions'

/** Why a control is disabled, for `@!denied`. */
export interface Denial {
  /** Reasons of the decision, in English. */
  messages: string[]
  /** One of these permissions is sufficient. */
  rights: Permission[]
  /** Translation key of the advice: who can grant the permission; null if nobody can. */
  advice: 'layout.denied_by_right' | 'layout.denied_by_administrator' | null
}

/** The denial of a decision; null if it allows. */
export function denialOf({ allowed, reasons }: Decision): Denial | null {
  if (allowed) {
    return null
  }
  const named = reasons.flatMap(({ source }) => source.match(/[a-z_]+/g) ?? []).filter(isPermission)
  const rights = [...new Set(named)]
  const isForAdministrators = rights.length === 1 && rights[0] === 'user_is_ueberuser'
  const byRight = rights.length > 0 ? 'layout.denied_by_right' : null
  return {
    messages: [...new Set(reasons.map(({ message }) => message))],
    rights,
    advice: isForAdministrators ? 'layout.denied_by_administrator' : byRight,
  }
}

/**
 * The denial of each control by its name: null if it is allowed. For a control with several decisions, the first that denies.
 */
export function denialsOf<Name extends string>(
  actor: Actor,
  controls: Record<Name, AccessRequest | AccessRequest[]>
): Record<Name, Denial | null> {
  const asked = Object.entries<AccessRequest | AccessRequest[]>(controls)
  const denials = asked.map(([name, requests]) => {
    const decisions = [requests].flat().map((request) => authorize(actor, request))
    const refusal = decisions.find(({ allowed }) => !allowed)
    return [name, refusal ? denialOf(refusal) : null] as const
  })
  return Object.fromEntries(denials) as Record<Name, Denial | null>
}

/** Why the actor may not create zones of any kind; null if the actor may. */
export function zoneCreationDenial(actor: Actor): Denial | null {
  const kinds = ['MASTER', 'SLAVE']
  const decisions = kinds.map((kind) => authorize(actor, { action: 'zone.create', kind }))
  return decisions.some(({ allowed }) => allowed) ? null : denialOf(decisions[0])
}
