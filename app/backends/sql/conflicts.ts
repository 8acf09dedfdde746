import { setTimeout as wait } from 'node:timers/promises'

/** Errors by which a database says: another writer was in the way, do it again. */
const RETRY_CODES = new Set([
  '40001',
  '40P01',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
])

/** Errors by which a unique constraint says: somebody else was faster. */
const UNIQUE_CODES = new Set([
  '23505',
  'ER_DUP_ENTRY',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

const ATTEMPTS = 8

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether a unique constraint refused the write. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(codeOf(error))
}

/**
 * Runs a transaction again while the database reports a conflict with another writer, at most 8 times,
 * waiting longer and less evenly each time. Every attempt starts from scratch: the failed one left
 * nothing behind.
 */
export async function retryOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRY_CODES.has(codeOf(error))) {
        throw error
      }
      await wait(Math.random() * 10 * 2 ** attempt)
    }
  }
}
