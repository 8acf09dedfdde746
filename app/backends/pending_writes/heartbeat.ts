import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import {
  STEPS_TABLE,
  lockWrite,
  EFFECTS_KIND,
  WRITES_TABLE,
  type StoredWrite,
} from '#backends/pending_writes/store'
import { dialectOf } from '#database/dialects/dialect_of'

/** Interval of heartbeats in ms; well below `HEARTBEAT_TIMEOUT_MS` and the connection timeout of config/database.ts. */
const HEARTBEAT_MS = 5_000

/** Runs work of a write outside of a transaction, with heartbeats, so that no other process settles the write. */
export function withHeartbeat<T>(
  client: () => QueryClientContract,
  id: string,
  work: () => Promise<T>,
  heartbeatMs = HEARTBEAT_MS
): Promise<T> {
  return repeatDuring(work, () => touchHeartbeat(client(), id), heartbeatMs)
}

/** Runs work that waits for the server, and keeps the connection of the database in use: it would be closed as lost. */
export function keepConnectionAlive<T>(
  trx: TransactionClientContract,
  isWaiting: boolean,
  work: () => Promise<T>
): Promise<T> {
  if (!isWaiting || dialectOf(trx).isEmbedded) {
    return work()
  }
  return repeatDuring(work, () => trx.rawQuery('select 1'), HEARTBEAT_MS)
}

/**
 * Drops the steps of a write from an index on as reversed or never done, so that its verification ignores what the server
 * shows. Sends a heartbeat. Returns whether the write still exists; it is locked until the transaction ends.
 */
export async function deleteUndoneSteps(
  trx: TransactionClientContract,
  { id, earlier }: StoredWrite,
  fromIndex: number
): Promise<boolean> {
  if (!(await lockWrite(trx, id))) {
    return false
  }
  await touchHeartbeat(trx, id)
  const first = (await trx
    .from(STEPS_TABLE)
    .where({ write_id: id, part: 0 })
    .whereNot('kind', EFFECTS_KIND)
    .where('id', '>', earlier?.call ?? 0)
    .orderBy('id')
    .offset(fromIndex)
    .limit(1)
    .select('id')
    .first()) as { id: number | string } | null
  if (first) {
    const undone = trx.from(STEPS_TABLE).where('write_id', id).where('id', '>=', first.id)
    // Calls that were added to an earlier write prove nothing about its own steps.
    await (earlier === null ? undone.update({ kind: 'undone' }) : undone.delete())
  }
  return true
}

/** The write counts as running until `HEARTBEAT_TIMEOUT_MS` from now. */
export async function touchHeartbeat(client: QueryClientContract, id: string): Promise<void> {
  await client.from(WRITES_TABLE).where('id', id).update({ began_at: new Date().toISOString() })
}

/** Skips a heartbeat while the previous one runs. Errors show in the next statement. */
async function repeatDuring<T>(
  work: () => Promise<T>,
  sendHeartbeat: () => Promise<unknown>,
  intervalMs: number
): Promise<T> {
  let isSending = false
  const timer = setInterval(() => {
    if (isSending) return
    isSending = true
    sendHeartbeat()
      .catch(() => {})
      .finally(() => (isSending = false))
  }, intervalMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
