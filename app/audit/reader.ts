import db from '@adonisjs/lucid/services/db'
import type { AuditArea } from '#access/audit_rules'
import { actionsOf, AUDIT_AREAS } from '#audit/actions'
import { entryOf, type AuditEntry, type StoredEvent } from '#audit/entry'
import type { AuditFilter } from '#audit/filter'

/** An event with its place in the chain; null for both until it is sealed. */
export interface ListedEvent {
  entry: AuditEntry
  position: number | null
  hash: string | null
}

type ListedRow = StoredEvent & { position: number | string | null; hash: string | null }

/** A part of a list. */
export interface AuditWindow {
  offset: number
  limit: number
}

/** Events of these areas that match, the newest first. */
export async function listEvents(
  areas: readonly AuditArea[],
  filter: AuditFilter,
  { offset, limit }: AuditWindow
): Promise<ListedEvent[]> {
  const rows: ListedRow[] = await matching(areas, filter)
    .leftJoin('zw_audit_chain', 'zw_audit_chain.audit_id', 'zw_audit.id')
    .orderBy('zw_audit.id', 'desc')
    .offset(offset)
    .limit(limit)
    .select('zw_audit.*', 'zw_audit_chain.position', 'zw_audit_chain.hash')
  return rows.map((row) => ({
    entry: entryOf(row),
    position: row.position === null ? null : Number(row.position),
    hash: row.hash,
  }))
}

/** How many events of these areas match. */
export async function countEvents(
  areas: readonly AuditArea[],
  filter: AuditFilter
): Promise<number> {
  const [row] = await matching(areas, filter).count('* as total')
  const { total } = row as unknown as { total: number | string }
  return Number(total)
}

function matching(areas: readonly AuditArea[], filter: AuditFilter) {
  const { user, action, object, since, until } = filter
  const rows = db.from('zw_audit')
  if (!AUDIT_AREAS.every((area) => areas.includes(area))) {
    rows.whereIn('zw_audit.action', actionsOf(areas))
  }
  if (user !== undefined) rows.where('username', user)
  if (action !== undefined) rows.whereIn('zw_audit.action', action)
  if (object !== undefined) rows.where('object_kind', object.kind)
  if (object?.id !== undefined) rows.where('object_id', object.id)
  if (object?.name !== undefined) rows.where('object_name', object.name)
  if (since !== undefined) rows.where('time', '>=', since)
  if (until !== undefined) rows.where('time', '<=', until)
  return rows
}
