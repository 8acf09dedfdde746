import db from '@adonisjs/lucid/services/db'
import { isConflict, isHeldElsewhere, isUniqueViolation } from '#database/conflicts'

/** So long what was found out counts: strangers may ask for readiness as often as they like. */
const WORKS_MS = 10_000
const FAILS_MS = 2_000

const NAME = 'written_at'

/** What databases say of a table that is not there: nothing was set up yet, and nothing speaks against writing. */
const NO_TABLE = new Set(['42P01', 'ER_NO_SUCH_TABLE'])

let latest: Promise<void> | null = null
let until = 0

/**
 * Rejects with the reason where the database takes no writes: a standby, a read-only database or file, a full disk. Each
 * process tries it with one small row, every 10 seconds at most.
 */
export function demandWritable(): Promise<void> {
  if (latest === null || Date.now() >= until) {
    until = Number.POSITIVE_INFINITY
    latest = write().then(
      () => void keep(WORKS_MS),
      (error: unknown) => {
        keep(FAILS_MS)
        throw error
      }
    )
    // Whoever asks hears of it; where nobody waits any more, it is no fault.
    latest.catch(() => {})
  }
  return latest
}

/** What was found out counts no longer. */
export function forgetWritable(): void {
  latest = null
}

function keep(milliseconds: number): void {
  until = Date.now() + milliseconds
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
