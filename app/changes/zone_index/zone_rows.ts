import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { Owners, ZoneProperties } from '#changes/model/zone_properties'
import { timestampNow } from '#changes/model/clock'
import { createSortRows } from '#changes/zone_index/sort_rows'
import type { ZoneCountChange, ZoneWrite } from '#changes/transaction/zone_transaction'
import { chunks } from '#database/statements/chunks'
import { PreparedStatement } from '#database/statements/prepared'
import { enqueueTexts } from '#database/trigram_index/pending'
import { ZONE_TEXTS } from '#database/trigram_index/source'
import { reversedLabels } from '#dns/names'
import { naturalSortKey } from '#dns/names/sort_key'

/** The zone row: see the glossary. */
export interface ZoneRow {
  id: number
  uid: string
  name: string
  /** null while the zone does not exist: lists leave the row out. */
  kind: string | null
  description: string | null
  last_entry: number
}

/** Columns of a zone in lists. */
export type ListedZoneRow = Pick<BackendZone, 'id' | 'name'> & { kind: string }

/** Labels from the top down ("com example www"), so that the descendants of a zone are adjacent. */
export function nameKey(name: string): string {
  return reversedLabels(name, '')
}

const ZONE_ROW = new PreparedStatement<ZoneRow>('select * from zw_zones where id = ? and name = ?')

/** The zone row of a zone with its current name; null without one. */
export async function findZoneRow({
  id,
  name,
}: Pick<BackendZone, 'id' | 'name'>): Promise<ZoneRow | null> {
  const [row] = await ZONE_ROW.rows(db.connection(), [id, name])
  return row ?? null
}

/**
 * The kind of a zone in lists, as PowerDNS names it. Old programs wrote an empty kind for a
 * primary.
 */
export function listedKind(type: string): string {
  return type.toUpperCase() || 'MASTER'
}

/** Columns of the zone row that depend on the name. */
export function namedColumns(name: string): { name: string; name_key: string; sort_key: string } {
  return { name, name_key: nameKey(name), sort_key: naturalSortKey(name) }
}

/**
 * The zone row, which is inserted if it is missing. A row with another name belongs to a zone that
 * another program deleted, and whose id was reused: it is replaced, with its owners and key scopes.
 * Needs the write lock of the zone.
 */
export async function ensureZoneRow(
  trx: QueryClientContract,
  zone: ListedZoneRow,
  countChange: ZoneCountChange
): Promise<ZoneRow> {
  const row: ZoneRow | null = await trx.from('zw_zones').where('id', zone.id).first()
  if (row?.name === zone.name) {
    if (row.kind === null) {
      await listAgain(trx, zone, countChange)
    }
    return row
  }
  if (row) {
    return addZoneRow(trx, zone, null, countChange)
  }
  // Another transaction may insert it concurrently.
  await addMissingRows(trx, [zone], countChange)
  return trx.from('zw_zones').where('id', zone.id).firstOrFail()
}

/** Updates the columns of changed properties in the zone row. */
export async function updateZoneRow(
  { trx, countChange }: Pick<ZoneWrite, 'trx' | 'countChange'>,
  { id }: Pick<BackendZone, 'id'>,
  { name, kind, description }: ZoneProperties
): Promise<void> {
  const columns = {
    ...(name === undefined ? {} : namedColumns(name)),
    ...(kind === undefined ? {} : { kind: listedKind(kind) }),
    ...(description === undefined ? {} : { description }),
  }
  if (Object.keys(columns).length > 0) {
    await trx.from('zw_zones').where('id', id).update(columns)
  }
  if (name !== undefined) {
    await createSortRows(trx, [id])
  }
  if (name !== undefined || kind !== undefined) {
    countChange.markChanged()
  }
  if (name !== undefined || description !== undefined) {
    await enqueueTexts(trx, ZONE_TEXTS, [id])
  }
}

/** Lists a zone again that was missing and exists again. */
async function listAgain(
  trx: QueryClientContract,
  zone: ListedZoneRow,
  countChange: ZoneCountChange
): Promise<void> {
  const changed = await trx
    .from('zw_zones')
    .where('id', zone.id)
    .whereNull('kind')
    .update({ ...namedColumns(zone.name), kind: listedKind(zone.kind) })
  await createSortRows(trx, [zone.id])
  countChange.add(Number(changed))
}

/** Inserts missing zone rows; rows that another transaction inserted in between stay. */
export async function addMissingRows(
  trx: QueryClientContract,
  zones: ListedZoneRow[],
  countChange: ZoneCountChange
): Promise<void> {
  for (const part of chunks(zones)) {
    const created = timestampNow()
    const rows = part.map(({ id, name, kind }) => ({
      id,
      uid: randomUUID(),
      ...namedColumns(name),
      kind: listedKind(kind),
      description: null,
      last_entry: 0,
      created_at: created,
    }))
    await trx.table('zw_zones').knexQuery.insert(rows).onConflict('id').ignore()
    // Not every database returns the number of inserted rows.
    const [inserted] = (await trx
      .from('zw_zones')
      .whereIn(
        'uid',
        rows.map(({ uid }) => uid)
      )
      .count('* as total')) as { total: number | string }[]
    countChange.add(Number(inserted.total))
    const ids = part.map(({ id }) => id)
    await createSortRows(trx, ids)
    await enqueueTexts(trx, ZONE_TEXTS, ids)
  }
}

/**
 * Inserts the zone row of a new zone, or of one that continues its journal. Replaces a row with the
 * same id of a zone that another program deleted.
 */
export async function addZoneRow(
  trx: QueryClientContract,
  zone: ListedZoneRow,
  description: string | null,
  countChange: ZoneCountChange,
  { uid, lastEntry }: { uid: string; lastEntry: number } = { uid: randomUUID(), lastEntry: 0 }
): Promise<ZoneRow> {
  const row = {
    id: zone.id,
    uid,
    name: zone.name,
    kind: listedKind(zone.kind),
    description,
    last_entry: lastEntry,
  }
  if (await trx.from('zw_zones').where('id', zone.id).select('id').first()) {
    await removeZoneRow(trx, zone.id, countChange)
  }
  await trx
    .table('zw_zones')
    .insert({ ...row, ...namedColumns(zone.name), created_at: timestampNow() })
  countChange.add(1)
  await createSortRows(trx, [zone.id])
  await enqueueTexts(trx, ZONE_TEXTS, [zone.id])
  return row
}

/** Deletes the zone row, with its owners and its entries in API keys. */
export async function removeZoneRow(
  trx: QueryClientContract,
  id: number,
  countChange: ZoneCountChange
): Promise<void> {
  const rows = () => trx.from('zw_zones').where('id', id)
  countChange.add(-Number(await rows().whereNotNull('kind').delete()))
  await rows().delete()
}

/** Inserts the owners of a zone without owners. */
export async function addOwners(
  client: QueryClientContract,
  zoneId: number,
  owners: Owners
): Promise<void> {
  const timestamps = { created_at: timestampNow() }
  const users = owners.users.map((id) => ({ zone_id: zoneId, user_id: id, ...timestamps }))
  const groups = owners.groups.map((id) => ({ zone_id: zoneId, group_id: id, ...timestamps }))
  if (users.length > 0) {
    await client.table('zw_zone_owners').multiInsert(users)
  }
  if (groups.length > 0) {
    await client.table('zw_zone_groups').multiInsert(groups)
  }
}

/** Ids of the users and groups that own a zone. */
export async function ownersOf(client: QueryClientContract, zoneId: number): Promise<Owners> {
  const users: { user_id: number }[] = await client
    .from('zw_zone_owners')
    .where('zone_id', zoneId)
    .orderBy('user_id')
  const groups: { group_id: number }[] = await client
    .from('zw_zone_groups')
    .where('zone_id', zoneId)
    .orderBy('group_id')
  return {
    users: users.map((row) => row.user_id),
    groups: groups.map((row) => row.group_id),
  }
}
