import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { demand } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { ZoneFacts } from '#access/ownership'
import type { AuditEvent } from '#audit/event'
import { ownerEvents, type OwnerChanges } from '#audit/owner_events'
import { record } from '#audit/record'
import type { DnsBackend } from '#backends/contract/backend'
import type { Intent } from '#changes/model/intent'
import { finishWrite } from '#changes/idempotency/finish_write'
import { enqueueSortRows } from '#changes/zone_index/sort_rows'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import { writeZones } from '#changes/recovery/write_zones'
import { notFound } from '#exceptions/refusal'

/** A zone whose owners are locked until the end of the transaction, with its current owners. */
export interface LockedOwners {
  trx: TransactionClientContract
  zone: ZoneFacts
}

/** The change of the owners of one zone. */
export interface OwnerChange<T> {
  result: T
  added?: OwnerChanges
  removed?: OwnerChanges
}

/** Changes the owners of one zone, see `changeOwnersOf`. */
export async function changeOwners<T>(
  backend: DnsBackend,
  intent: Intent,
  zoneId: number,
  change: (locked: LockedOwners) => Promise<OwnerChange<T>>
): Promise<T> {
  const [result] = await changeOwnersOf(backend, intent, [zoneId], change)
  return result
}

/**
 * Changes the owners of zones in one transaction, under their write locks. Owners are no zone
 * content: there is no journal entry, and the entity tag stays. The audit log has the change.
 *
 * @returns the result of `change` for each zone, in the order of the ids
 * @throws 404 `Refusal` for a missing or hidden zone, 403 if the actor may not change its owners
 */
export async function changeOwnersOf<T>(
  backend: DnsBackend,
  intent: Intent,
  zoneIds: readonly number[],
  change: (locked: LockedOwners) => Promise<OwnerChange<T>>
): Promise<T[]> {
  const all = await writeZones(backend, async ({ session, trx, countChange }) => {
    const locked = await session.lockZones([...zoneIds])
    const results: T[] = []
    for (const id of zoneIds) {
      const found = locked.get(id)
      if (!found) {
        throw notFound('Zone not found')
      }
      // A zone that another program created may have no zone row to which owners could refer.
      await ensureZoneRow(trx, found, countChange)
      const zone = await loadZoneFacts(found, trx)
      demand(intent.actor, { action: 'zone.edit_owners', zone })
      const { result, added = {}, removed = {} } = await change({ trx, zone })
      const events = [
        ...ownerEvents('zone.owner_added', zone, added),
        ...ownerEvents('zone.owner_removed', zone, removed),
      ]
      if (events.length > 0) {
        countChange.markChanged()
      }
      await record(trx, intent.actor, withReason(events, intent.reason))
      results.push(result)
    }
    await finishWrite(trx, intent)
    return results
  })
  enqueueSortRows(zoneIds)
  return all
}

/** No journal entry stores the reason: the audit event does. */
function withReason(events: AuditEvent[], reason: string | null): AuditEvent[] {
  return reason
    ? events.map((event) => ({ ...event, detail: { ...event.detail, reason } }))
    : events
}
