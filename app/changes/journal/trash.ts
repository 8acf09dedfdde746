import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import type { BackendZone, ZoneKey } from '#backends/contract/backend'
import type { RestoredZone } from '#changes/model/change_set'
import type { Owners } from '#changes/model/zone_properties'
import { timestampNow } from '#changes/model/clock'
import { JournalReader } from '#changes/journal/reader'
import type { JournalEntryDetail } from '#changes/model/journal_entry'
import { COMMENT_COLUMNS } from '#changes/comments/comment_store'
import type { ZoneRow } from '#changes/zone_index/zone_rows'
import type { ZoneState } from '#changes/journal/zone_state'
import { chunks } from '#database/statements/chunks'
import { typesForAdministrators } from '#dns/records/registry'

/** A deleted zone that can be restored. */
export interface TrashedZone {
  id: number
  /** Number of the journal entry of its deletion. */
  entry: number
  uid: string
  zoneId: number
  zoneName: string
  deletedAt: string
  userId: number | null
  username: string
}

/** All data that restore a deleted zone. */
export interface TrashContents {
  deletion: JournalEntryDetail
  state: ZoneState
  /** null if they cannot be decrypted: the application key was changed. */
  keys: ZoneKey[] | null
}

const KEYS_PURPOSE = 'zone-keys'
const COLUMN_LIST = COMMENT_COLUMNS.join(', ')

/** Data of a deleted zone that its journal does not have. */
export interface TrashedZoneData {
  owners: Owners
  /** As `encryptKeys` returns them. */
  keys: string | null
}

/**
 * Stores a deleted zone in the trash. Call it after its deletion entry is written, and while the
 * comments on its records exist.
 */
export async function putInTrash(
  trx: QueryClientContract,
  zone: BackendZone,
  row: ZoneRow,
  actor: Pick<Actor, 'userId' | 'username'>,
  { owners, keys }: TrashedZoneData
): Promise<void> {
  await trx.table('zw_trash').insert({
    zone_uid: row.uid,
    entry: row.last_entry,
    zone_id: zone.id,
    zone_name: zone.name,
    deleted_at: timestampNow(),
    user_id: actor.userId,
    username: actor.username,
    keys,
  })
  await trx.rawQuery(
    `INSERT INTO zw_trash_comments (trash_id, ${COLUMN_LIST})
     SELECT zw_trash.id, ${COLUMN_LIST} FROM zw_record_comments, zw_trash
     WHERE zw_record_comments.zone_id = ? AND zw_trash.zone_uid = ?`,
    [zone.id, row.uid]
  )
  const kinds = { user: owners.users, group: owners.groups }
  const rows = Object.entries(kinds).flatMap(([kind, ids]) =>
    ids.map((id) => ({ kind, owner_id: id }))
  )
  if (rows.length === 0) {
    return
  }
  const { id } = (await trx.from('zw_trash').where('zone_uid', row.uid).firstOrFail()) as TrashRow
  for (const part of chunks(rows.map((owner) => ({ ...owner, trash_id: id })))) {
    await trx.table('zw_trash_owners').multiInsert(part)
  }
}

/** The keys, encrypted for the trash; null for none. */
export function encryptKeys(keys: ZoneKey[]): string | null {
  return keys.length > 0 ? encryption.encrypt(keys, { purpose: KEYS_PURPOSE }) : null
}

/** A deleted zone by its id in the trash; null without one. */
export async function findTrashed(id: number): Promise<TrashedZone | null> {
  const row: TrashRow | null = await db.from('zw_trash').where('id', id).first()
  return row && trashedZoneFromRow(row)
}

/** The latest deleted zone that had this zone id; null without one. */
export async function findTrashedZone(zoneId: number): Promise<TrashedZone | null> {
  const row: TrashRow | null = await db
    .from('zw_trash')
    .where('zone_id', zoneId)
    .orderBy('id', 'desc')
    .first()
  return row && trashedZoneFromRow(row)
}

/** State of a deleted zone without its records. */
export type FormerState = Pick<ZoneState, 'kind' | 'owners' | 'metadata'> & {
  /** Types of its records that only administrators may write. */
  types: string[]
}

/**
 * States and owners of deleted zones by their ids in the trash; absent if the journal was pruned.
 */
export async function loadFormerStates(zones: TrashedZone[]): Promise<Map<number, FormerState>> {
  const states = new Map<number, FormerState>()
  for (const ids of chunks(zones.map(({ id }) => id))) {
    const rows: { id: number; uid: string; entry: number; zone_before: string | null }[] = await db
      .from('zw_trash')
      .join('zw_journal', (join) => {
        join
          .on('zw_journal.zone_uid', 'zw_trash.zone_uid')
          .andOn('zw_journal.entry', 'zw_trash.entry')
      })
      .whereIn('zw_trash.id', ids)
      .select('zw_trash.id', 'zw_trash.zone_uid as uid', 'zw_trash.entry', 'zw_journal.zone_before')
    const found = await findRestrictedTypes(rows)
    for (const { id, uid, zone_before: before } of rows) {
      const types = found.get(uid) ?? []
      if (before) states.set(id, { ...(JSON.parse(before) as ZoneState), types })
    }
  }
  return states
}

/** Types for administrators in deleted zones, by their uids. */
async function findRestrictedTypes(
  rows: { uid: string; entry: number }[]
): Promise<Map<string, string[]>> {
  const entries = new Map(rows.map(({ uid, entry }) => [uid, Number(entry)]))
  const found: { uid: string; entry: number; type: string }[] = await db
    .from('zw_journal_changes')
    .whereIn('zone_uid', [...entries.keys()])
    .whereIn('type', typesForAdministrators())
    .whereNotNull('rrset_before')
    .distinct('zone_uid as uid', 'entry', 'type')
  const inDeletedState = found.filter(({ uid, entry }) => entries.get(uid) === Number(entry))
  const byZone = Map.groupBy(inDeletedState, ({ uid }) => uid)
  return new Map([...byZone].map(([uid, all]) => [uid, all.map(({ type }) => type)]))
}

/** The stored data of a deleted zone; null if its journal was pruned. */
export async function loadTrashContents({
  id,
  uid,
  entry,
}: TrashedZone): Promise<TrashContents | null> {
  const deletion = await new JournalReader(uid).entry(entry)
  const row: TrashRow | null = await db.from('zw_trash').where('id', id).first()
  if (!row || !deletion?.zoneBefore) {
    return null
  }
  const keys = row.keys === null ? [] : encryption.decrypt<ZoneKey[]>(row.keys, KEYS_PURPOSE)
  return { deletion, state: deletion.zoneBefore as ZoneState, keys }
}

/**
 * Restores the comments on records. The zone must have its row again, and must still be in the
 * trash.
 */
export async function restoreComments(
  trx: QueryClientContract,
  zone: BackendZone,
  { trashId }: RestoredZone
): Promise<void> {
  await trx.rawQuery(
    `INSERT INTO zw_record_comments (zone_id, ${COLUMN_LIST})
     SELECT zw_zones.id, ${COLUMN_LIST} FROM zw_trash_comments, zw_zones
     WHERE zw_trash_comments.trash_id = ? AND zw_zones.id = ?`,
    [trashId, zone.id]
  )
}

/**
 * Removes a zone from the trash: for good, or for its restore in this transaction. Its journal
 * stays. False if another transaction removed it first.
 */
export async function takeFromTrash(
  id: number,
  client: QueryClientContract = db.connection()
): Promise<boolean> {
  return Number(await client.from('zw_trash').where('id', id).delete()) > 0
}

/** A row of `zw_trash`. */
export interface TrashRow {
  id: number
  zone_uid: string
  entry: number
  zone_id: number
  zone_name: string
  deleted_at: string
  user_id: number | null
  username: string
  keys: string | null
}

export function trashedZoneFromRow(row: TrashRow): TrashedZone {
  return {
    id: row.id,
    entry: row.entry,
    uid: row.zone_uid,
    zoneId: row.zone_id,
    zoneName: row.zone_name,
    deletedAt: row.deleted_at,
    userId: row.user_id,
    username: row.username,
  }
}
