import { AUDIT_ACTIONS, type AuditAction } from '#audit/actions'
import type { AuditObject } from '#audit/event'
import { invalid } from '#exceptions/refusal'

/** Filter of events. Absent members match all. */
export interface AuditFilter {
  /** Name of the user who did it. */
  user?: string
  /** One of these. */
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
const LARGEST_ID = 2_147_483_647

/** The actions of a filter: one by its name, or all whose first word it is (`login`). Throws a 400. */
export function actionFilter(text: string): AuditAction[] {
  const names = Object.keys(AUDIT_ACTIONS) as AuditAction[]
  const wanted = names.filter((name) => name === text || name.startsWith(`${text}.`))
  if (wanted.length === 0) {
    const words = [...new Set(names.map((name) => name.split('.')[0]))].join(', ')
    throw invalid(
      `'action' must be an action such as login.failed or one of ${words}${found(text)}`
    )
  }
  return wanted
}

/** The object of a filter: a kind, or a kind with an id or a name behind a colon. Throws a 400. */
export function objectFilter(text: string): NonNullable<AuditFilter['object']> {
  const [, word, , rest] = /^([a-z_]+)(:(.+))?$/s.exec(text) ?? []
  const kind = KINDS.find((known) => known === word)
  if (kind === undefined) {
    const kinds = KINDS.join(', ')
    throw invalid(
      `'object' must be one of ${kinds}, optionally followed by :<id> or :<name>${found(text)}`
    )
  }
  if (rest === undefined) {
    return { kind }
  }
  const isId = /^\d{1,10}$/.test(rest) && Number(rest) <= LARGEST_ID
  return isId ? { kind, id: Number(rest) } : { kind, name: rest }
}

function found(text: string): string {
  return `; found ${JSON.stringify(text.slice(0, 100))}`
}
