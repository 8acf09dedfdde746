import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeSet } from '#changes/model/change_set'
import type { Author, Origin } from '#changes/model/intent'
import type { ZoneAction } from '#changes/journal/filters'
import { nextTime } from '#changes/journal/time_index'
import type { ZoneRow } from '#changes/zone_index/zone_rows'
import type { RRset, RRsetChange } from '#dns/types'
import { chunks } from '#database/statements/chunks'
import { mapYielding } from '#database/event_loop'
import { demandPacket } from '#database/statements/packet_limit'

/** Content of a journal entry without its author and time. */
export interface JournalEntry {
  changes: RRsetChange[]
  serialBefore: number | null
  serialAfter: number | null
  /** State of the zone itself; null on both sides if only records changed. */
  zoneBefore: object | null
  zoneAfter: object | null
}

/** The author of a change set in one zone; `override` replaces the origin of the change set. */
export function journalAuthorOf(
  { intent: { actor, reason }, origin }: ChangeSet,
  override: Origin | null = origin
): Author {
  return { actor, reason, origin: override }
}

/**
 * Writes the next journal entry of the zone, in the transaction of the change, which holds the lock
 * of the zone. Returns its number and sets it in `row`.
 */
export async function writeEntry(
  trx: TransactionClientContract,
  { actor, reason, origin }: Author,
  zone: BackendZone,
  row: ZoneRow,
  entry: JournalEntry
): Promise<number> {
  const number = row.last_entry + 1
  const inserted = await trx
    .insertQuery<{ id: number | string }>()
    .table('zw_journal')
    .returning('id')
    .insert({
      zone_uid: row.uid,
      entry: number,
      zone_id: zone.id,
      zone_name: zone.name,
      time: await nextTime(trx, row.uid, row.last_entry),
      user_id: actor.userId,
      username: actor.username,
      api_key_id: actor.key?.id ?? null,
      address: actor.address,
      channel: actor.channel,
      reason,
      serial_before: entry.serialBefore,
      serial_after: entry.serialAfter,
      origin_kind: origin?.kind ?? null,
      origin_id: origin?.id ?? null,
      zone_before: entry.zoneBefore && JSON.stringify(entry.zoneBefore),
      zone_after: entry.zoneAfter && JSON.stringify(entry.zoneAfter),
      zone_action: zoneAction(entry),
    })
  if (entry.changes.length > 0) {
    // The MariaDB driver returns the id itself.
    const [first] = inserted as (number | { id: number | string })[]
    const journalId = typeof first === 'number' ? first : first.id
    const rows = await mapYielding(entry.changes, (change, position) => ({
      journal_id: journalId,
      position,
      zone_uid: row.uid,
      entry: number,
      name: change.name,
      type: change.type,
      // If both sides exist, the comments are stored with the later one.
      rrset_before: serializeState(change.before, change.after ? undefined : change.comments),
      rrset_after: serializeState(change.after, change.comments),
    }))
    for (const part of chunks(rows)) {
      await demandPacket(trx, part)
      await trx.table('zw_journal_changes').multiInsert(part)
    }
  }
  await trx.from('zw_zones').where('id', zone.id).update({ last_entry: number })
  row.last_entry = number
  return number
}

/**
 * The effect of an entry on the zone. Both sides are set only if properties or the name changed.
 */
function zoneAction({ zoneBefore, zoneAfter }: JournalEntry): ZoneAction | null {
  if (zoneBefore) {
    const { name }: { name?: string } = zoneBefore
    return !zoneAfter ? 'delete' : name === undefined ? 'properties' : 'rename'
  }
  return zoneAfter ? 'create' : null
}

function serializeState(set: RRset | null, comments: RRsetChange['comments']): string | null {
  if (!set) {
    return null
  }
  const records = set.records.map(({ content, priority, disabled }) => ({
    content,
    priority,
    disabled,
  }))
  return JSON.stringify({ ttl: set.ttl, records, comments })
}
