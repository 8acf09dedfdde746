import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { dialectOf } from '#database/dialects/dialect_of'

/** Effects of an entry on the zone as a whole. */
export const ZONE_ACTIONS = ['create', 'delete', 'rename', 'properties'] as const
export type ZoneAction = (typeof ZONE_ACTIONS)[number]

/** Values of the filter `action`: the origin of a change, or its effect on the zone as a whole. */
export const HISTORY_ACTIONS = [
  ...ZONE_ACTIONS,
  'undo',
  'restore',
  'request',
  'template',
  'import',
  'bulk',
  'clone',
] as const
export type HistoryAction = (typeof HISTORY_ACTIONS)[number]

/** Filter of the entries of a zone; absent members do not filter. */
export interface HistoryQuery {
  /** Owner name, canonical, below the current apex. Entries from before a rename match, too. */
  name?: string
  type?: string
  username?: string
  channel?: string
  /** Origin of the change, or its effect on the zone as a whole. */
  action?: HistoryAction
  /** Timestamps as in Zonewright tables, both included. */
  since?: string
  until?: string
  /** Only entries before this number. */
  before?: number
  /** Only entries after this number. */
  after?: number
}

/** Whether a query filters by entry numbers only. Numbers have no gaps. */
export function isByNumbersOnly(query: HistoryQuery): boolean {
  return !filtersByRRset(query) && !filtersByEntry(query)
}

/** Whether a query filters by the changed RRsets. */
export function filtersByRRset({ name, type }: HistoryQuery): boolean {
  return name !== undefined || type !== undefined
}

/** Matching entries of a zone, for a query that does not filter by RRsets. */
export function matchingEntries(
  client: QueryClientContract,
  uid: string,
  query: HistoryQuery
): DatabaseQueryBuilderContract {
  const { username, channel, action } = query
  const indexes = [
    ...(username === undefined ? [] : ['zw_journal_user']),
    ...(channel === undefined ? [] : ['zw_journal_channel']),
    ...(action === undefined
      ? []
      : [isZoneAction(action) ? 'zw_journal_zone_action' : 'zw_journal_origin']),
  ]
  if (isByNumbersOnly(query)) indexes.push('zw_journal_entry')
  const rows = withIndexHint(client, 'zw_journal as j', indexes).where('j.zone_uid', uid)
  restrictNumbers(rows, 'j.entry', query)
  restrictEntries(rows, query)
  return rows
}

/**
 * Matching changes of a zone, for a query by RRsets: one row per entry and RRset. The rows contain
 * the entry number, so that an index has the order of the pages.
 */
export function matchingChanges(
  client: QueryClientContract,
  uid: string,
  query: HistoryQuery
): DatabaseQueryBuilderContract {
  const { name, type } = query
  // The index of names includes the type.
  const index = `zw_journal_changes_zone_${name === undefined ? 'type' : 'name'}`
  const rows = withIndexHint(client, 'zw_journal_changes as c', [index]).where('c.zone_uid', uid)
  restrictNumbers(rows, 'c.entry', query)
  if (name !== undefined) rows.where('c.name', name)
  if (type !== undefined) rows.where('c.type', type)
  if (filtersByEntry(query)) {
    // As a subquery that is neither joined nor compared: planners would start with the entries, or
    // expect few matches, and sort all.
    const entries = client
      .from('zw_journal as j')
      .where('j.zone_uid', uid)
      .whereRaw('j.entry = c.entry')
    restrictEntries(entries.select(client.raw('1')), query)
    const { sql, bindings } = entries.toSQL()
    rows.whereRaw(`(${sql}) IS NOT NULL`, bindings as string[])
  }
  return rows
}

/**
 * A table with the indexes that may be used. MariaDB and MySQL need FORCE INDEX: they expect
 * matches among the newest entries, and read all entries for a later page.
 */
function withIndexHint(
  client: QueryClientContract,
  table: string,
  indexes: string[]
): DatabaseQueryBuilderContract {
  const rows = client.from(table)
  const hintedTable = indexes.length > 0 ? dialectOf(client).forceIndex(table, indexes) : null
  if (hintedTable !== null) {
    rows.knexQuery.from(client.knexRawQuery(hintedTable))
  }
  return rows
}

function restrictNumbers(
  rows: DatabaseQueryBuilderContract,
  entry: string,
  { before, after }: HistoryQuery
): void {
  if (before !== undefined && after !== undefined) {
    // BETWEEN: with two comparisons, SQLite estimates few entries and chooses the index of numbers.
    rows.whereBetween(entry, [after + 1, before - 1])
  } else if (before !== undefined) {
    rows.where(entry, '<', before)
  } else if (after !== undefined) {
    rows.where(entry, '>', after)
  }
}

function filtersByEntry({ username, channel, action, since, until }: HistoryQuery): boolean {
  return [username, channel, action, since, until].some((value) => value !== undefined)
}

function restrictEntries(
  rows: DatabaseQueryBuilderContract,
  { username, channel, action, since, until }: HistoryQuery
): void {
  if (username !== undefined) rows.where('j.username', username)
  if (channel !== undefined) rows.where('j.channel', channel)
  if (since !== undefined) rows.where('j.time', '>=', since)
  if (until !== undefined) rows.where('j.time', '<=', until)
  if (action !== undefined)
    rows.where(isZoneAction(action) ? 'j.zone_action' : 'j.origin_kind', action)
}

function isZoneAction(action: HistoryAction): boolean {
  return (ZONE_ACTIONS as readonly string[]).includes(action)
}
