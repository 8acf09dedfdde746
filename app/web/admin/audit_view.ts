import { csvLine } from '#dns/paste/csv'
import type { auditItem } from '#transformers/audit'

type Item = ReturnType<typeof auditItem>

/** An event in a line of a list. */
export interface AuditLine {
  id: number
  time: string
  username: string | null
  keyId: number | null
  address: string | null
  channel: string
  action: string
  /** The object of the event, as the filter names it; null for none. */
  object: { text: string; filter: string; href: string | null } | null
  outcome: string
  /** The first members of the detail, as text. */
  more: string
}

/** Characters of the detail in a line. */
const MAX_DETAIL_CHARACTERS = 120

/** An event of the audit log, for display. */
export function auditLine({ id, time, actor, action, object, outcome, detail }: Item): AuditLine {
  return {
    id,
    time,
    username: actor.username,
    keyId: actor.api_key_id,
    address: actor.address,
    channel: actor.channel,
    action,
    object: object && objectView(object),
    outcome,
    more: detailRows(detail)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')
      .slice(0, MAX_DETAIL_CHARACTERS),
  }
}

/** The members of the detail by name; values other than texts as JSON. */
export function detailRows(detail: Item['detail']): [name: string, value: string][] {
  if (detail === null || typeof detail !== 'object' || Array.isArray(detail)) {
    return detail === null ? [] : [['', textOf(detail)]]
  }
  return Object.entries(detail).map(([name, value]) => [name, textOf(value)])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function objectView({ kind, id, name }: NonNullable<Item['object']>): AuditLine['object'] {
  const text = [kind, name ?? id].filter((part) => part !== null).join(' ')
  const about = id ?? name
  const filter = about === null ? `${kind}` : `${kind}:${about}`
  const href = kind === 'zone' && id !== null ? `/zones/${id}` : null
  return { text, filter, href }
}

const COLUMNS = [
  'id',
  'position',
  'time',
  'user',
  'api_key_id',
  'address',
  'channel',
  'action',
  'object_kind',
  'object_id',
  'object_name',
  'outcome',
  'detail',
]

/** The heading of an export as a table. */
export function csvHead(): string {
  return `${COLUMNS.join(',')}\r\n`
}

/** An event as a line of a table (RFC 4180). */
export function eventLine({
  id,
  position,
  time,
  actor,
  action,
  object,
  outcome,
  detail,
}: Item): string {
  return csvLine([
    id,
    position,
    time,
    actor.username,
    actor.api_key_id,
    actor.address,
    actor.channel,
    action,
    object?.kind,
    object?.id,
    object?.name,
    outcome,
    JSON.stringify(detail),
  ])
}
