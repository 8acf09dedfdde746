import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor } from '#audit/event'
import { record } from '#audit/record'
import { timestampNow } from '#changes/model/clock'
import { enqueueNotification } from '#changes/requests/notifications'
import { withParts, type RequestRow } from '#changes/requests/store'

/** A zone that is deleted or restored. */
interface ZoneKey {
  uid: string
  name: string
}

/** The stored error of a request whose zone was deleted. */
function zoneDeletedError(name: string): string {
  return `The zone '${name}' was deleted. Nothing was applied.`
}

/** Whether this error is the deletion of a zone. */
export function isZoneDeletedError(error: string | null = null): boolean {
  return error !== null && /^The zone '.*' was deleted[.] Nothing was applied[.]$/s.test(error)
}

/**
 * Fails the pending and scheduled requests of a zone, in the transaction of its deletion. Their
 * authors are notified.
 *
 * @param appliedRequestId the request that deletes the zone, if its row does not say so yet
 */
export async function failRequestsOf(
  trx: TransactionClientContract,
  actor: AuditActor,
  zone: ZoneKey,
  appliedRequestId: number | null = null
): Promise<void> {
  const selectWaiting = () =>
    requestsOf(trx, zone)
      .whereIn('status', ['pending', 'approved'])
      .whereNull('applied_at')
      .whereNot('id', appliedRequestId ?? 0)
  const rows: RequestRow[] = await selectWaiting().orderBy('id')
  for (const { id, zones, actions } of await withParts(rows, trx)) {
    const position = zones.findIndex(({ uid }) => uid === zone.uid)
    const stale = actions.flatMap((action, index) => (action.zone === position ? [index] : []))
    const updatedRows: unknown = await selectWaiting()
      .where('id', id)
      .update({
        status: 'failed',
        error: zoneDeletedError(zone.name),
        reviewed_at: timestampNow(),
        stale: JSON.stringify(stale),
      })
    // Another transaction decided it in between.
    if (Number(updatedRows) === 0) continue
    const object = { kind: 'zone' as const, id: zones[position].id, name: zone.name }
    const detail = { request: id, status: 404, why: 'zone_deleted' }
    await record(trx, actor, { action: 'request.failed', object, outcome: 'failed', detail })
    await enqueueNotification(trx, { id, zones }, { what: 'failed', by: actor.userId })
  }
}

/**
 * Makes requests pending again that failed by the deletion of this zone, once all their zones
 * exist. Scheduled requests need a new approval. Runs in the transaction of the restore, after the
 * zone has its row.
 */
export async function reopenRequestsOf(
  trx: TransactionClientContract,
  actor: AuditActor,
  zone: ZoneKey & { id: number }
): Promise<void> {
  const rows: RequestRow[] = await requestsOf(trx, zone)
    .where({ status: 'failed', error: zoneDeletedError(zone.name) })
    .orderBy('id')
  for (const { id, zones } of await withParts(rows, trx)) {
    const uids = zones.map(({ uid }) => uid)
    const existingZones: { uid: string }[] = await trx
      .from('zw_zones')
      .whereIn('uid', uids)
      .select('uid')
    const missing = zones.find(({ uid }) => !existingZones.some((row) => row.uid === uid))
    const clearedDecision = { reviewer_id: null, reviewer_name: null, review_comment: null }
    await trx
      .from('zw_change_requests')
      .where('id', id)
      .update(
        missing
          ? { error: zoneDeletedError(missing.name) }
          : { ...clearedDecision, status: 'pending', error: null, reviewed_at: null, stale: null }
      )
    if (!missing) {
      const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
      await record(trx, actor, { action: 'request.reopened', object, detail: { request: id } })
    }
  }
}

function requestsOf(trx: TransactionClientContract, { uid }: ZoneKey) {
  return trx
    .from('zw_change_requests')
    .whereIn('id', trx.from('zw_change_request_zones').where('zone_uid', uid).select('request_id'))
}
