import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/** What entries did to the zone as a whole. */
export const ZONE_ACTIONS = ['create', 'delete', 'rename', 'properties'] as const
export type ZoneAction = (typeof ZONE_ACTIONS)[number]

/** What entries can be asked for: where the change came from, or what of the zone as a whole it was about. */
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

/** Which entries of a zone; absent members do not narrow. */
export interface HistoryQuery {
  /** Owner name, canonical, below the apex that the zone has now; its entries from before a rename match, too. */
  name?: string
  type?: string
  username?: string
  channel?: string
  /** What was done: a way that changes come about, or something done to the zone as a whole. */
  action?: HistoryAction
  /** Moments as own tables store them, both included. */
  since?: string
  until?: string
  /** Only entries before this one. */
  before?: number
  /** Only entries after this one. */
  after?: number
}

/** Whether a query asks for entries by their numbers alone, which have no gaps. */
export function asksForNumbers(query: HistoryQuery): boolean {
  return !asksForChanges(query) && !asksForEntries(query)
}

/** Whether a query asks for what entries changed, and not only for what they are themselves. */
export function asksForChanges({ name, type }: HistoryQuery): boolean {
  return name !== undefined || type !== undefined
}

/** Entries of a zone that match, of a query that does not ask for changes. */
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
      : [isOfZone(action) ? 'zw_journal_zone_action' : 'zw_journal_origin']),
  ]
  if (asksForNumbers(query)) indexes.push('zw_journal_entry')
  const rows = byIndexes(client, 'zw_journal as j', indexes).where('j.zone_uid', uid)
  narrowNumbers(rows, 'j.entry', query)
  narrowEntries(rows, query)
  return rows
}

/**
 * Changes of entries of a zone that match, of a query that asks for them: an entry has one for each RRset. They know the
 * number of their entry, so that an index has them in the order of pages; entries are looked at where more is asked of them.
 */
export function matchingChanges(
  client: QueryClientContract,
  uid: string,
  query: HistoryQuery
): DatabaseQueryBuilderContract {
  const { name, type } = query
  // That of names knows the types, too.
  const index = `zw_journal_changes_zone_${name === undefined ? 'type' : 'name'}`
  const rows = byIndexes(client, 'zw_journal_changes as c', [index]).where('c.zone_uid', uid)
  narrowNumbers(rows, 'c.entry', query)
  if (name !== undefined) rows.where('c.name', name)
  if (type !== undefined) rows.where('c.type', type)
  if (asksForEntries(query)) {
    // Neither joined nor compared: planners would begin with the entries, or hope for few, and sort all that they find.
    const made = client
      .from('zw_journal as j')
      .where('j.zone_uid', uid)
      .whereRaw('j.entry = c.entry')
    narrowEntries(made.select(client.raw('1')), query)
    const { sql, bindings } = made.toSQL()
    rows.whereRaw(`(${sql}) IS NOT NULL`, bindings as string[])
  }
  return rows
}

/**
 * A table whose rows are to be found by one of some indexes. MariaDB and MySQL have to be told: they hope that enough of the
 * newest entries match, and read all of them where a page begins further down.
 */
function byIndexes(
  client: QueryClientContract,
  table: string,
  indexes: string[]
): DatabaseQueryBuilderContract {
  const rows = client.from(table)
  if (client.dialect.name === 'mysql' && indexes.length > 0) {
    rows.knexQuery.from(client.knexRawQuery(`${table} FORCE INDEX (${indexes.join(', ')})`))
  }
  return rows
}

function narrowNumbers(
  rows: DatabaseQueryBuilderContract,
  entry: string,
  { before, after }: HistoryQuery
): void {
  if (before !== undefined && after !== undefined) {
    // In this form: of two comparisons SQLite thinks that few entries are left, and takes the index of numbers.
    rows.whereBetween(entry, [after + 1, before - 1])
  } else if (before !== undefined) {
    rows.where(entry, '<', before)
  } else if (after !== undefined) {
    rows.where(entry, '>', after)
  }
}

function asksForEntries({ username, channel, action, since, until }: HistoryQuery): boolean {
  return [username, channel, action, since, until].some((value) => value !== undefined)
}

function narrowEntries(
  rows: DatabaseQueryBuilderContract,
  { username, channel, action, since, until }: HistoryQuery
): void {
  if (username !== undefined) rows.where('j.username', username)
  if (channel !== undefined) rows.where('j.channel', channel)
  if (since !== undefined) rows.where('j.time', '>=', since)
  if (until !== undefined) rows.where('j.time', '<=', until)
  if (action !== undefined) rows.where(isOfZone(action) ? 'j.zone_action' : 'j.origin_kind', action)
}

function isOfZone(action: HistoryAction): boolean {
  return (ZONE_ACTIONS as readonly string[]).includes(action)
}
