import type { AuditAction } from '#audit/actions'
import { entryOf, type AuditEntry } from '#audit/entry'
import type { StoredLink } from '#audit/links'

/** Audit actions whose events have another name. */
const EVENT_TYPE_BY_ACTION: Partial<Record<AuditAction, string>> = {
  'login.succeeded': 'user.login',
  'login.locked': 'user.locked',
  'login.unlocked': 'user.unlocked',
  'login.ended': 'user.logout',
}

/** Actions without an event: attempts that changed nothing. */
const UNPUBLISHED_ACTIONS: ReadonlySet<string> = new Set<AuditAction>([
  'access.denied',
  'login.failed',
])

/** An audited event in the form that is published. */
export interface PublishedEvent {
  /** Position in the audit log. Increases by one with each event and never changes. */
  id: number
  type: string
  /** The action in the audit log. */
  action: string
  /** ISO 8601 in UTC. */
  time: string
  /** null for events that concern no zone. */
  zone_id: number | null
  zone_name: string | null
  /** Number of the journal entry, which has the changes; null without one. */
  entry: number | null
  actor: AuditEntry['actor']
  object: AuditEntry['object']
  detail: AuditEntry['detail']
}

/** Name of the event of an audit action; null if the action is not published. */
export function eventType(action: string): string | null {
  return UNPUBLISHED_ACTIONS.has(action)
    ? null
    : (EVENT_TYPE_BY_ACTION[action as AuditAction] ?? action)
}

/** Whether a type equals one of these, or begins with one of them as its first word. null matches all. */
export function isOfTypes(type: string, types: readonly string[] | null): boolean {
  return types === null || types.some((one) => type === one || type.startsWith(`${one}.`))
}

/** The event of a link of the chain; null for a removed event. */
export function eventFromLink({ position, event }: StoredLink): PublishedEvent | null {
  const type = event && eventType(event.action)
  if (!event || !type) {
    return null
  }
  const { time, actor, object, detail } = entryOf(event)
  const members = membersOf(detail)
  return {
    id: position,
    action: event.action,
    type: isPropertiesOnly(type, members) ? 'zone.updated' : type,
    time,
    ...zoneOf(object, members),
    entry: numberOrNull(members.entry),
    actor,
    object,
    detail,
  }
}

/** Whether a change concerns only properties. The audit log has no separate action for it. */
function isPropertiesOnly(type: string, { properties }: Members): boolean {
  return type === 'zone.changed' && properties === true
}

type Members = Record<string, unknown>

/** The members of a detail; none if it is no object. */
export function membersOf(detail: unknown): Members {
  return detail !== null && typeof detail === 'object' && !Array.isArray(detail)
    ? (detail as Members)
    : {}
}

/** The zone of an event: its object, or the zone that the detail names. */
function zoneOf(object: AuditEntry['object'], { zone_id: id, zone_name: name }: Members) {
  if (object?.kind === 'zone') {
    return { zone_id: object.id, zone_name: object.name }
  }
  return { zone_id: numberOrNull(id), zone_name: typeof name === 'string' ? name : null }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}
