import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import type { ChangeSet } from '#changes/change_set'
import { momentNow } from '#changes/clock'
import type { ZoneRow } from '#changes/zone_registry'
import type { RRset, RRsetChange } from '#dns/types'

/** What one journal entry says beside who and when. */
export interface JournalEntry {
  changes: RRsetChange[]
  serialBefore: number | null
  serialAfter: number | null
  /** State of the zone itself; null on both sides where only records changed. */
  zoneBefore: object | null
  zoneAfter: object | null
}

/** Rows of one statement. */
const CHUNK = 200

/**
 * Writes the next entry of the zone's journal, in the transaction of the change itself, which holds the
 * zone's lock. Returns its number.
 */
export async function writeEntry(
  trx: TransactionClientContract,
  set: ChangeSet,
  zone: BackendZone,
  row: ZoneRow,
  entry: JournalEntry
): Promise<number> {
  const number = row.last_entry + 1
  const { actor } = set
  await trx.table('zw_journal').insert({
    zone_uid: row.uid,
    entry: number,
    zone_id: zone.id,
    zone_name: zone.name,
    time: momentNow(),
    user_id: actor.userId,
    username: actor.username,
    api_key_id: actor.key?.id ?? null,
    address: actor.address,
    door: actor.door,
    reason: set.reason,
    serial_before: entry.serialBefore,
    serial_after: entry.serialAfter,
    origin_kind: set.origin?.kind ?? null,
    origin_id: set.origin?.id ?? null,
    zone_before: entry.zoneBefore && JSON.stringify(entry.zoneBefore),
    zone_after: entry.zoneAfter && JSON.stringify(entry.zoneAfter),
  })
  if (entry.changes.length > 0) {
    const written: { id: number | string } = await trx
      .from('zw_journal')
      .where({ zone_uid: row.uid, entry: number })
      .select('id')
      .firstOrFail()
    for (let i = 0; i < entry.changes.length; i += CHUNK) {
      const rows = entry.changes.slice(i, i + CHUNK).map((change, index) => ({
        journal_id: written.id,
        position: i + index,
        name: change.name,
        type: change.type,
        rrset_before: stateOf(change.before),
        rrset_after: stateOf(change.after),
      }))
      await trx.table('zw_journal_changes').multiInsert(rows)
    }
  }
  await trx.from('zw_zones').where('id', zone.id).update({ last_entry: number })
  return number
}

function stateOf(set: RRset | null): string | null {
  if (!set) {
    return null
  }
  const records = set.records.map(({ content, priority, disabled }) => ({
    content,
    priority,
    disabled,
  }))
  return JSON.stringify({ ttl: set.ttl, records })
}
