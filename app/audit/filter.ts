import { AUDIT_ACTIONS, type AuditAction } from '#audit/actions'
import type { AuditObject } from '#audit/event'
import { invalid } from '#exceptions/refusal'

/** Filter of events. Absent members match all. */
export interface AuditFilter {
  /** Name of the actor. */
  user?: string
  /** Events match if they have any of these actions. */
  action?: AuditAction[]
  object?: { kind: AuditObject['kind']; id?: number; name?: string }
  /** Timestamps as Zonewright's tables store them, both inclusive. */
  since?: string
  until?: string
}

const KINDS: readonly AuditObject['kind'][] = [
  'user',
  'key',
  'group',
  'template',
  'zone',
  'zone_template',
  'job',
  'webhook',
]
const MAX_ROW_ID = 2_147_483_647

/**
 * Returns the actions of a filter: one action by name, or all with this first word (`login`).
 * Throws a 400 `Refusal`.
 */
export function actionFilter(text: string): AuditAction[] {
  const names = Object.keys(AUDIT_ACTIONS) as AuditAction[]
  const actionNames = names.filter((name) => name === text || name.startsWith(`${text}.`))
  if (actionNames.length === 0) {
    const words = [...new Set(names.map((name) => name.split('.')[0]))].join(', ')
    throw invalid(
      `'action' must be an action such as login.failed or one of ${words}${quoteText(text)}`
    )
  }
  return actionNames
}

/**
 * Returns the object of a filter: a kind, or a kind with an id or name after a colon. Throws a 400
 * `Refusal`.
 */
export function objectFilter(text: string): NonNullable<AuditFilter['object']> {
  const [, word, , rest] = /^([a-z_]+)(:(.+))?$/s.exec(text) ?? []
  const kind = KINDS.find((knownKind) => knownKind === word)
  if (kind === undefined) {
    const kinds = KINDS.join(', ')
    throw invalid(
      `'object' must be one of ${kinds}, optionally followed by :<id> or :<name>${quoteText(text)}`
    )
  }
  if (rest === undefined) {
    return { kind }
  }
  const isId = /^\d{1,10}$/.test(rest) && Number(rest) <= MAX_ROW_ID
  return isId ? { kind, id: Number(rest) } : { kind, name: rest }
}

function quoteText(text: string): string {
  return `; found ${JSON.stringify(text.slice(0, 100))}`
}
