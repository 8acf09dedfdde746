import db from '@adonisjs/lucid/services/db'
import { nameServerDatabase, zoneTables } from '#tests/support/app/backend'

/** An RRset in the format of the journal. */
export interface JournalSet {
  ttl: number
  records: { content: string; priority: number; disabled: boolean }[]
}

/** A stored journal entry with its JSON parsed. */
export interface StoredEntry {
  entry: number
  zone_uid: string
  zone_id: number
  zone_name: string
  time: string
  user_id: number | null
  username: string
  api_key_id: number | null
  address: string | null
  channel: string
  origin_kind: string | null
  origin_id: string | null
  serial_before: number | null
  serial_after: number | null
  zone_before: Record<string, unknown> | null
  zone_after: Record<string, unknown> | null
  changes: { name: string; type: string; before: JournalSet | null; after: JournalSet | null }[]
}

const number = (value: unknown) => (value === null ? null : Number(value))
const json = (value: string | null) => (value === null ? null : JSON.parse(value))

/**
 * Returns why filters would not find an entry; null if they would. The columns for filters must match the changes of the
 * entry: zone uid, entry number, and the action on the zone.
 */
export function filterFault(
  row: Record<string, unknown>,
  changes: Record<string, unknown>[]
): string | null {
  const [before, after] = [row.zone_before !== null, row.zone_after !== null]
  const step = 'name' in (json(row.zone_before as string | null) ?? {}) ? 'rename' : 'properties'
  const action = before ? (after ? step : 'delete') : after ? 'create' : null
  const isLost = changes.some((one) => one.zone_uid !== row.zone_uid || one.entry !== row.entry)
  return row.zone_action === action && !isLost ? null : `Filters would not find entry ${row.entry}`
}

/** Returns the journal of a zone, oldest entry first. Throws if filters would not find an entry. */
export async function journalOf(zoneId: number): Promise<StoredEntry[]> {
  const rows = await db.from('zw_journal').where('zone_id', zoneId).orderBy('entry')
  const entries: StoredEntry[] = []
  for (const row of rows) {
    const changes = await db
      .from('zw_journal_changes')
      .where('journal_id', row.id)
      .orderBy('position')
    const problem = filterFault(row, changes)
    if (problem) throw new Error(problem)
    entries.push({
      ...row,
      serial_before: number(row.serial_before),
      serial_after: number(row.serial_after),
      zone_before: json(row.zone_before),
      zone_after: json(row.zone_after),
      changes: changes.map((change) => ({
        name: change.name,
        type: change.type,
        before: json(change.rrset_before),
        after: json(change.rrset_after),
      })),
    })
  }
  return entries
}

/** Returns the PowerDNS row of a zone, without the columns of the external change check. */
async function domain(zoneId: number) {
  return db
    .from(zoneTables.zones)
    .where('id', zoneId)
    .select('id', 'name', 'type', 'master', 'account')
    .first()
}

/** Returns everything stored about a zone. Equal states mean that nothing changed. */
export async function stateOf(zoneId: number) {
  return {
    domain: await domain(zoneId),
    records: await db.from(zoneTables.records).where('domain_id', zoneId).orderBy('id'),
    metadata: await db.from(zoneTables.metadata).where('domain_id', zoneId).orderBy('id'),
    own: await db.from('zw_zones').where('id', zoneId).first(),
    journal: await journalOf(zoneId),
  }
}

/** Returns the row counts of all tables that a request can add rows to. Equal counts mean that nothing was created. */
export async function rowCounts(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const { zones, records, metadata } = zoneTables
  for (const table of [zones, records, metadata, 'zw_zones', 'zw_journal']) {
    const [row] = await db.from(table).count('* as total')
    counts[table] = Number(row.total)
  }
  return counts
}

/** Returns the stored serial of a zone. */
export async function serialOf(zoneId: number): Promise<number> {
  const soa: { content: string } = await db
    .from(zoneTables.records)
    .where({ domain_id: zoneId, type: 'SOA' })
    .firstOrFail()
  return Number(soa.content.split(' ')[2])
}

/** Sets the serial of a zone directly, as a name server or another tool may do. */
export async function setSerial(zoneId: number, serial: number): Promise<void> {
  const { name } = await db.from('zw_zones').where('id', zoneId).select('name').firstOrFail()
  const server = nameServerDatabase()
  const soa: { id: number; content: string } = await server
    .from('records')
    .where({ name, type: 'SOA' })
    .firstOrFail()
  const content = soa.content.split(' ').with(2, String(serial)).join(' ')
  await server.from('records').where('id', soa.id).update({ content })
}

/** Returns the users and groups that own a zone. */
export async function ownersOf(zoneId: number): Promise<{ users: number[]; groups: number[] }> {
  const users = await db.from('zw_zone_owners').where('zone_id', zoneId).orderBy('user_id')
  const groups = await db.from('zw_zone_groups').where('zone_id', zoneId).orderBy('group_id')
  return { users: users.map((row) => row.user_id), groups: groups.map((row) => row.group_id) }
}

/** Returns the newest journal entry of a zone. */
export async function lastEntryOf(zoneId: number): Promise<StoredEntry> {
  const entries = await journalOf(zoneId)
  return entries[entries.length - 1]
}
