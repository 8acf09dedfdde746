import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { AuditArea } from '#access/rules/audit_rules'
import { actionsOf, AUDIT_AREAS } from '#audit/actions'
import { entryOf, type AuditEntry, type StoredEvent } from '#audit/entry'
import type { AuditFilter } from '#audit/filter'

/** An event with its place in the chain; null for both until it is sealed. */
export interface ListedEvent {
  entry: AuditEntry
  position: number | null
  hash: string | null
}

type SealedEventRow = StoredEvent & { position: number | string | null; hash: string | null }

/** Offset and limit of a list. */
export interface AuditWindow {
  offset: number
  limit: number
}

/** Returns matching events of these areas, newest first. */
export async function listEvents(
  areas: readonly AuditArea[],
  filter: AuditFilter,
  { offset, limit }: AuditWindow
): Promise<ListedEvent[]> {
  const rows = await linked(matching(areas, filter)).offset(offset).limit(limit)
  return (rows as SealedEventRow[]).map(eventOfRow)
}

/** Returns an event of these areas; null for an unknown id. */
export async function findEvent(
  areas: readonly AuditArea[],
  id: number
): Promise<ListedEvent | null> {
  const rows = await linked(matching(areas, {}).where('zw_audit.id', id)).limit(1)
  const [row] = rows as SealedEventRow[]
  return row ? eventOfRow(row) : null
}

/**
 * Yields all matching events of these areas, newest first, in batches: those that existed at the
 * start.
 */
export async function* eventBatches(
  areas: readonly AuditArea[],
  filter: AuditFilter,
  size: number
): AsyncGenerator<ListedEvent[], void> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await linked(matching(areas, filter).where('zw_audit.id', '<', before)).limit(size)
    const events = (rows as SealedEventRow[]).map(eventOfRow)
    yield events
    if (events.length < size) {
      return
    }
    before = events[events.length - 1].entry.id
  }
}

function linked(rows: DatabaseQueryBuilderContract): DatabaseQueryBuilderContract {
  return rows
    .leftJoin('zw_audit_chain', 'zw_audit_chain.audit_id', 'zw_audit.id')
    .orderBy('zw_audit.id', 'desc')
    .select('zw_audit.*', 'zw_audit_chain.position', 'zw_audit_chain.hash')
}

function eventOfRow(row: SealedEventRow): ListedEvent {
  return {
    entry: entryOf(row),
    position: row.position === null ? null : Number(row.position),
    hash: row.hash,
  }
}

/** Counts the events of these areas that match. */
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
