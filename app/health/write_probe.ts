import db from '@adonisjs/lucid/services/db'
import { isConflict, isHeldElsewhere, isUniqueViolation } from '#database/conflicts'

/**
 * Lifetime of a result in milliseconds. The limit is needed because the readiness endpoint is
 * public.
 */
const WORKING_TTL_MS = 10_000
const FAILED_TTL_MS = 2_000

const NAME = 'written_at'

/** Errors of a missing table: the migrations did not run yet, which is no write error. */
const NO_TABLE = new Set(['42P01', 'ER_NO_SUCH_TABLE'])

let latest: Promise<void> | null = null
let validUntil = 0

/**
 * Rejects if the database is not writable: a standby, a read-only database or file, a full disk. Each process writes a small
 * row, at most every 10 seconds.
 */
export function demandWritable(): Promise<void> {
  if (latest === null || Date.now() >= validUntil) {
    validUntil = Number.POSITIVE_INFINITY
    latest = write().then(
      () => void cacheUntil(WORKING_TTL_MS),
      (error: unknown) => {
        cacheUntil(FAILED_TTL_MS)
        throw error
      }
    )
    // Prevents an unhandled rejection if no caller waits.
    latest.catch(() => {})
  }
  return latest
}

/** Discards the cached result. */
export function forgetWritable(): void {
  latest = null
}

function cacheUntil(milliseconds: number): void {
  validUntil = Date.now() + milliseconds
}

async function write(): Promise<void> {
  const value = new Date().toISOString()
  try {
    const known: unknown = await db.from('zw_installation').where('name', NAME).update({ value })
    // Some drivers give the number of rows in a list.
    if (Number(known) === 0) {
      await db.table('zw_installation').insert({ name: NAME, value })
    }
  } catch (error) {
    if (!isHarmless(error)) throw error
  }
}

/** Other writers in the way, another process that was faster, or no tables yet: the database itself works. */
function isHarmless(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string }
  const isAbsent = NO_TABLE.has(String(code)) || message?.includes('no such table')
  const isBusy = isConflict(error) || isHeldElsewhere(error) || isUniqueViolation(error)
  return isAbsent === true || isBusy
}
