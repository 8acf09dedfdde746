import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'

/** So long the row of a running request counts after its process gave the last sign of life. */
export const LEASE_MS = 30_000

const RENEWED_AFTER_MS = 10_000
const PAUSE_MS = 1_000

/** Work that the database did not take, and that is tried again until it has no use any more. */
const MOST_OWED = 1_000
const OWED_MS = 10 * 60_000

type Work = () => Promise<unknown>

/** Rows of requests that run in this process. */
const running = new Set<number>()
/** What is still to be written of requests that ended while the database was away. */
const owed = new Map<number, { work: Work; until: number }>()

let timer: NodeJS.Timeout | undefined
let isWorking = false
let renewedAt = 0

/** The end of a lease that begins now. */
export function leaseEnd(): string {
  return new Date(Date.now() + LEASE_MS).toISOString()
}

/** From now on this process gives signs of life for the row of a request, until `letGo`. */
export function hold(repeatId: number): void {
  if (running.size === 0) {
    renewedAt = Date.now()
  }
  running.add(repeatId)
  schedule()
}

/** The request of the row has ended in this process. */
export function letGo(repeatId: number): void {
  running.delete(repeatId)
}

/** Does the work of a row later, as soon as the database takes it. */
export function owe(repeatId: number, work: Work): void {
  if (owed.size < MOST_OWED) {
    owed.set(repeatId, { work, until: Date.now() + OWED_MS })
    schedule()
  }
}

/** Does what is owed of the row now. Returns whether there was something; throws what the database says. */
export async function payNow(repeatId: number): Promise<boolean> {
  const debt = owed.get(repeatId)
  if (!debt) {
    return false
  }
  await debt.work()
  owed.delete(repeatId)
  return true
}

function schedule(): void {
  timer ??= setInterval(() => void step(), PAUSE_MS).unref()
}

/** Never throws: what the database does not take now is done at a later step. */
async function step(): Promise<void> {
  if (running.size + owed.size === 0) {
    clearInterval(timer)
    timer = undefined
    return
  }
  if (isWorking) {
    return
  }
  isWorking = true
  try {
    await renew()
    await payAll()
  } catch {
    // Requests log what the database says; here it only means "not yet".
  } finally {
    isWorking = false
  }
}

async function renew(): Promise<void> {
  if (running.size === 0 || Date.now() - renewedAt < RENEWED_AFTER_MS) {
    return
  }
  for (const part of chunks([...running])) {
    const rows = () => db.from('zw_idempotency_keys').whereIn('id', part).where('state', 'running')
    await retryOnConflict(() => rows().update({ leased_until: leaseEnd() }))
  }
  renewedAt = Date.now()
}

async function payAll(): Promise<void> {
  for (const [repeatId, debt] of [...owed]) {
    const { until } = debt
    owed.delete(repeatId)
    if (until > Date.now()) {
      // Behind all others, in case that it fails again.
      owed.set(repeatId, debt)
      await payNow(repeatId)
    }
  }
}
