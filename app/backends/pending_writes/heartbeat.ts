import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { CALLS, hold, EFFECTS, WRITES, type Intention } from '#backends/pending_writes/store'
import { dialectOf } from '#database/dialects/dialect_of'

/** Interval of heartbeats in ms; well below `AT_WORK_MS` and the connection timeout of config/database.ts. */
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
export async function dropUndone(
  trx: TransactionClientContract,
  { id, earlier }: Intention,
  from: number
): Promise<boolean> {
  if (!(await hold(trx, id))) {
    return false
  }
  await touchHeartbeat(trx, id)
  const first = (await trx
    .from(CALLS)
    .where({ write_id: id, part: 0 })
    .whereNot('kind', EFFECTS)
    .where('id', '>', earlier?.call ?? 0)
    .orderBy('id')
    .offset(from)
    .limit(1)
    .select('id')
    .first()) as { id: number | string } | null
  if (first) {
    const undone = trx.from(CALLS).where('write_id', id).where('id', '>=', first.id)
    // Calls that were added to an earlier write prove nothing about its own steps.
    await (earlier === null ? undone.update({ kind: 'undone' }) : undone.delete())
  }
  return true
}

/** The write counts as running until `AT_WORK_MS` from now. */
export async function touchHeartbeat(client: QueryClientContract, id: string): Promise<void> {
  await client.from(WRITES).where('id', id).update({ began_at: new Date().toISOString() })
}

/** Skips a heartbeat while the previous one runs. Errors show in the next statement. */
async function repeatDuring<T>(
  work: () => Promise<T>,
  beat: () => Promise<unknown>,
  everyMs: number
): Promise<T> {
  let isUnderWay = false
  const timer = setInterval(() => {
    if (isUnderWay) return
    isUnderWay = true
    beat()
      .catch(() => {})
      .finally(() => (isUnderWay = false))
  }, everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
