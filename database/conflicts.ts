import { setTimeout as wait } from 'node:timers/promises'

/** Error code of a prepared statement whose tables were changed. */
export const STALE_STATEMENT = 'ZW_STALE_STATEMENT'

/** Serialisation failures and deadlocks: the transaction can run again. */
const RETRY_CODES = new Set(['40001', '40P01', 'ER_LOCK_DEADLOCK', 'ER_CHECKREAD', STALE_STATEMENT])

/** Another transaction holds the row lock (NOWAIT or a lock time-out). */
const LOCK_CODES = new Set(['55P03', 'ER_LOCK_WAIT_TIMEOUT', 'ER_LOCK_NOWAIT'])

/** A unique constraint refused the row. */
const UNIQUE_CODES = new Set([
  '23505',
  'ER_DUP_ENTRY',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

/** A foreign key refused the deletion: other rows refer to this one. */
const REFERENCED_CODES = new Set([
  '23503',
  '23001',
  'ER_ROW_IS_REFERENCED_2',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
  'SQLITE_CONSTRAINT_TRIGGER',
])

/** A foreign key refused the row: the row that it refers to is missing. */
const DANGLING_CODES = new Set(['23503', 'ER_NO_REFERENCED_ROW_2', 'SQLITE_CONSTRAINT_FOREIGNKEY'])

/** Maximum time of repetitions, and maximum pause between two. */
const MAX_RETRY_MS = 15_000
const MAX_PAUSE_MS = 250

/**
 * Tables whose keys a transaction computes from rows that it read. Galera has no row locks across nodes: two nodes can compute
 * the same key, and the unique index refuses the second. A repetition reads the rows again.
 */
const COUNTED_TABLES = new Set([
  'zw_audit_chain',
  'zw_journal',
  'zw_journal_changes',
  'zw_journal_times',
  'zw_record_snapshots',
  'zw_zone_snapshots',
  'zw_webhook_deliveries',
  'zw_zones',
])
const INSERT_STATEMENT = /^\s*insert\s+(?:ignore\s+)?into\s+(?:[`"]?\w+[`"]?\.)?[`"]?(zw_\w+)/i

/** Whether another node inserted the same computed key (`COUNTED_TABLES`). */
export function isLostRace(error: unknown): boolean {
  const table = error instanceof Error ? INSERT_STATEMENT.exec(error.message)?.[1] : undefined
  return table !== undefined && COUNTED_TABLES.has(table) && isUniqueViolation(error)
}

/** Whether the error is a conflict with another writer, so that a repeated transaction can succeed. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  const isBusy = /^SQLITE_(BUSY|LOCKED)(_|$)/.test(code)
  return RETRY_CODES.has(code) || isBusy || isLostRace(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether another transaction holds a row that was requested without waiting. */
export function isHeldElsewhere(error: unknown): boolean {
  return LOCK_CODES.has(codeOf(error))
}

/** Whether a unique constraint refused the write. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(codeOf(error))
}

/** Whether a row was not deleted because other rows refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return REFERENCED_CODES.has(codeOf(error))
}

/** Whether a row was not written because the row that it refers to is missing. */
export function refersToNothing(error: unknown): boolean {
  return DANGLING_CODES.has(codeOf(error))
}

/**
 * Repeats a transaction while it conflicts with other writers, for at most 15 seconds, with growing random pauses. Each attempt
 * must begin with a new transaction.
 */
export async function retryOnConflict<T>(transaction: () => PromiseLike<T>): Promise<T> {
  const deadline = Date.now() + MAX_RETRY_MS
  for (let pause = 10; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await transaction()
    } catch (error) {
      if (Date.now() > deadline || !isConflict(error)) {
        throw error
      }
      await wait(Math.random() * pause)
    }
  }
}
