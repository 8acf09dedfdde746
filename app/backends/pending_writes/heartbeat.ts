import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { CALLS, hold, EFFECTS, WRITES, type Intention } from '#backends/pending_writes/store'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * How often those who are at work say so, in milliseconds; well below `AT_WORK_MS`, and below the silence of a connection that
 * config/database.ts allows.
 */
const HEARTBEAT_MS = 5_000

/**
 * Runs work that belongs to a write, and that no transaction is held open for. The write is one at work as long as that takes,
 * so that nobody settles it meanwhile.
 */
export function withHeartbeat<T>(
  client: () => QueryClientContract,
  id: string,
  work: () => Promise<T>,
  heartbeatMs = HEARTBEAT_MS
): Promise<T> {
  return repeatDuring(work, () => touchHeartbeat(client(), id), heartbeatMs)
}

/** Runs work that waits for the server: a connection that says nothing meanwhile is taken for lost. */
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
 * Drops the steps of a write from one on, in their order, as what was taken back or never made: whoever has to find out what
 * became of the write does not take them for made, whatever the server shows. The write is at work. Answers whether it is
 * still there; it is held until the transaction ends.
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
    // What was added to an earlier write says nothing of whether that was made.
    await (earlier === null ? undone.update({ kind: 'undone' }) : undone.delete())
  }
  return true
}

/** Nobody takes the write for cut off until `AT_WORK_MS` from now. */
export async function touchHeartbeat(client: QueryClientContract, id: string): Promise<void> {
  await client.from(WRITES).where('id', id).update({ began_at: new Date().toISOString() })
}

/** A beat that finds the one before it under way is left out; one that fails is told by what comes after it. */
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
