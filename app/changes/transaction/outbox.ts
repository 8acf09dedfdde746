import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { FollowUp } from '#backends/contract/backend'
import { timestampNow } from '#changes/model/clock'
import { chunks } from '#database/statements/chunks'

/**
 * Work after a commit: calls to the name server, news of a change request (`review`), and the mails
 * about it, one per recipient (`mail`).
 */
export type OutboxKind = FollowUp['kind'] | 'review' | 'mail'

/** Work after the commit that must not be lost if this process ends. */
export interface OutboxEvent extends Omit<FollowUp, 'kind'> {
  kind: OutboxKind
  /** Data for the delivery besides the zone. No secrets: they are stored unencrypted. */
  payload?: object
}

/**
 * One event cannot be delivered now; others may be. The message is shown to users, and contains no
 * secrets.
 */
export class TryLater extends Error {}

/**
 * Adds events in the transaction of the change, so that both commit or neither does. Equal events
 * of one zone become one. Call `outbox.wake` after the commit.
 */
export async function enqueue(
  trx: TransactionClientContract,
  events: OutboxEvent[]
): Promise<void> {
  const now = timestampNow()
  const rows = new Map(
    events.map(({ kind, zoneId, zoneName, payload }) => [
      `${kind} ${zoneName} ${JSON.stringify(payload ?? null)}`,
      {
        kind,
        zone_id: zoneId,
        zone_name: zoneName,
        payload: payload ? JSON.stringify(payload) : null,
        created_at: now,
        next_at: now,
      },
    ])
  )
  for (const part of chunks([...rows.values()])) {
    await trx.table('zw_outbox').multiInsert(part)
  }
}

const listeners = new Set<() => void>()

/**
 * Wakes the worker of this process (app/background/) after a commit. Without it, or in a process
 * without a worker, the next poll finds the events.
 */
export const outbox = {
  /** There may be new events. Never throws and never waits. */
  wake(): void {
    listeners.forEach((listener) => listener())
  },

  /**
   * Calls the listener at each `wake`; returns a function that removes it. The listener must not
   * throw.
   */
  onWake(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
