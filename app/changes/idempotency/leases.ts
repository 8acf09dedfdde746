import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'

/** Duration of the lease on the row of a running request. */
export const LEASE_MS = 30_000

const RENEW_AFTER_MS = 10_000
const PAUSE_MS = 1_000

/** Limits of the postponed writes: their number, and the time after which one is dropped. */
const MAX_POSTPONED = 1_000
const MAX_POSTPONED_MS = 10 * 60_000

type Work = () => Promise<unknown>

/** Row ids of the requests that run in this process. */
const runningIds = new Set<number>()
/** Writes of ended requests that failed because the database was not available, by row id. */
const postponed = new Map<number, { work: Work; expiresAt: number }>()

let timer: NodeJS.Timeout | undefined
let isWorking = false
let renewedAt = 0

/** The end of a lease that begins now. */
export function leaseEnd(): string {
  return new Date(Date.now() + LEASE_MS).toISOString()
}

/** Renews the lease of the row until `stopRenewal` is called. */
export function startRenewal(repeatId: number): void {
  if (runningIds.size === 0) {
    renewedAt = Date.now()
  }
  runningIds.add(repeatId)
  schedule()
}

/** Ends the renewal: the request of the row has ended in this process. */
export function stopRenewal(repeatId: number): void {
  runningIds.delete(repeatId)
}

/** Postpones the write of a row until the database is available. */
export function postponeWrite(repeatId: number, work: Work): void {
  if (postponed.size < MAX_POSTPONED) {
    postponed.set(repeatId, { work, expiresAt: Date.now() + MAX_POSTPONED_MS })
    schedule()
  }
}

/** Runs the postponed write of a row. Returns whether there was one; throws errors of the database. */
export async function runPostponedNow(repeatId: number): Promise<boolean> {
  const entry = postponed.get(repeatId)
  if (!entry) {
    return false
  }
  await entry.work()
  postponed.delete(repeatId)
  return true
}

function schedule(): void {
  timer ??= setInterval(() => void renewAndRetry(), PAUSE_MS).unref()
}

/** Never throws: a write that fails is tried again in a later step. */
async function renewAndRetry(): Promise<void> {
  if (runningIds.size + postponed.size === 0) {
    clearInterval(timer)
    timer = undefined
    return
  }
  if (isWorking) {
    return
  }
  isWorking = true
  try {
    await renewLeases()
    await runPostponed()
  } catch {
    // Requests log errors of the database. Here the next step tries again.
  } finally {
    isWorking = false
  }
}

async function renewLeases(): Promise<void> {
  if (runningIds.size === 0 || Date.now() - renewedAt < RENEW_AFTER_MS) {
    return
  }
  for (const part of chunks([...runningIds])) {
    const rows = () => db.from('zw_idempotency_keys').whereIn('id', part).where('state', 'running')
    await retryOnConflict(() => rows().update({ leased_until: leaseEnd() }))
  }
  renewedAt = Date.now()
}

async function runPostponed(): Promise<void> {
  for (const [repeatId, entry] of [...postponed]) {
    const { expiresAt } = entry
    postponed.delete(repeatId)
    if (expiresAt > Date.now()) {
      // To the end of the map, in case it fails again.
      postponed.set(repeatId, entry)
      await runPostponedNow(repeatId)
    }
  }
}
