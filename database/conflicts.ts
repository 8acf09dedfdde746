import { setTimeout as wait } from 'node:timers/promises'

/** The error by which a prepared statement says that the tables have changed under it. */
export const STALE_STATEMENT = 'ZW_STALE_STATEMENT'

/** Errors by which a database says: another writer was in the way, do it again. */
const RETRY_CODES = new Set(['40001', '40P01', 'ER_LOCK_DEADLOCK', 'ER_CHECKREAD', STALE_STATEMENT])

/** Errors by which a database says: somebody else holds the row, and you did not want to wait. */
const HELD_CODES = new Set(['55P03', 'ER_LOCK_WAIT_TIMEOUT', 'ER_LOCK_NOWAIT'])

/** Errors by which a unique constraint says: somebody else was faster. */
const UNIQUE_CODES = new Set([
  '23505',
  'ER_DUP_ENTRY',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

/** Errors by which a foreign key says: other rows still need this one. */
const REFERENCED_CODES = new Set([
  '23503',
  '23001',
  'ER_ROW_IS_REFERENCED_2',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
  'SQLITE_CONSTRAINT_TRIGGER',
])

/** Errors by which a foreign key says: the row that this one refers to is not there. */
const DANGLING_CODES = new Set(['23503', 'ER_NO_REFERENCED_ROW_2', 'SQLITE_CONSTRAINT_FOREIGNKEY'])

/** How long a write tries to get past other writers. */
const PATIENCE_MS = 15_000
const LONGEST_PAUSE_MS = 250

/**
 * Tables whose keys follow from what a transaction read before. Where another node was faster (Galera has no row locks across
 * nodes), their unique indexes refuse the second writer: done again, it reads anew.
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
const INSERT = /^\s*insert\s+(?:ignore\s+)?into\s+(?:[`"]?\w+[`"]?\.)?[`"]?(zw_\w+)/i

/** Whether a unique index of a counted table says: another node was faster. */
export function isLostRace(error: unknown): boolean {
  const table = error instanceof Error ? INSERT.exec(error.message)?.[1] : undefined
  return table !== undefined && COUNTED_TABLES.has(table) && isUniqueViolation(error)
}

/** Whether a database says that another writer was in the way, and the same transaction may succeed next time. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  const isBusy = /^SQLITE_(BUSY|LOCKED)(_|$)/.test(code)
  return RETRY_CODES.has(code) || isBusy || isLostRace(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether a row was asked for that somebody else holds, without waiting for it. */
export function isHeldElsewhere(error: unknown): boolean {
  return HELD_CODES.has(codeOf(error))
}

/** Whether a unique constraint refused the write. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(codeOf(error))
}

/** Whether a row could not be deleted because others refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return REFERENCED_CODES.has(codeOf(error))
}

/** Whether a row could not be written because what it refers to is not there. */
export function refersToNothing(error: unknown): boolean {
  return DANGLING_CODES.has(codeOf(error))
}

/**
 * Runs a transaction again while the database reports a conflict with another writer, for 15 seconds at
 * most, waiting longer and less evenly each time. Every attempt starts from scratch: the failed one left
 * nothing behind.
 */
export async function retryOnConflict<T>(transaction: () => PromiseLike<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (let pause = 10; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
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
