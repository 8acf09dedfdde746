import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { FollowUp } from '#backends/contract/backend'
import { momentNow } from '#changes/model/clock'
import { chunks } from '#database/statements/chunks'

/**
 * What follows a commit: what a name server is told; that a change request has news (`review`), from which the mails
 * follow, one for each who gets one (`mail`).
 */
export type OutboxKind = FollowUp['kind'] | 'review' | 'mail'

/** Something that has to happen after the commit, and no matter what becomes of this process. */
export interface OutboxEvent extends Omit<FollowUp, 'kind'> {
  kind: OutboxKind
  /** What the delivery needs beside the zone. No secrets: it is stored as it is. */
  payload?: object
}

/** What one event asks for cannot be done now; others may be all the same. The message is for people, without secrets. */
export class TryLater extends Error {}

/**
 * Writes events in the transaction of the change that they follow: they are there when it is, and not
 * otherwise. Two of the same kind for one zone are one, where they need nothing beside it. After the commit, call `outbox.kick`.
 */
export async function enqueue(
  trx: TransactionClientContract,
  events: OutboxEvent[]
): Promise<void> {
  const now = momentNow()
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
 * The signal from those who commit to the worker of this process (app/background/), which lies above them. Costs
 * nothing; without it, or in a process without a worker, the next poll finds the events.
 */
export const outbox = {
  /** There may be new events. Never throws and never waits. */
  kick(): void {
    listeners.forEach((listener) => listener())
  },

  /** Calls the listener at each kick; returns what ends that. The listener must not throw. */
  onKick(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
