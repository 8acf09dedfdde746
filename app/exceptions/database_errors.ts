/** Errors by which a driver or the pool says that the database does not answer. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  '53300',
  '55P03',
  'ER_LOCK_WAIT_TIMEOUT',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
])

/** What pg says without a code. */
const PG_MESSAGES = [
  'Connection terminated',
  'timeout expired',
  'timeout exceeded when trying to connect',
]

/** Errors by which a foreign key says: a row that this one needs has gone in the meantime. */
const MISSING_ROW_CODES = new Set([
  '23503',
  'ER_NO_REFERENCED_ROW_2',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
])

/** Whether the write names a row that somebody else has just deleted. */
export function isMissingRow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING_ROW_CODES.has(String(error.code))
}

/** What is told where `isTooLong`. */
export const TOO_LONG =
  'One RRset of the change is larger than the database takes (max_allowed_packet)'

/** Whether one value of the write is longer than a packet that the database takes (`max_allowed_packet` of MariaDB). */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ER_NET_PACKET_TOO_LARGE'
}

/** A file that is not there, and no socket of a database. */
function isMissingFile(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && syscall !== 'connect'
}

/** Whether the database could not be reached or could not take the request now; trying later may help. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false
  }
  const code = 'code' in error ? String(error.code) : ''
  return (
    (CONNECTION_CODES.has(code) && !isMissingFile(error)) ||
    error.name === 'KnexTimeoutError' ||
    PG_MESSAGES.some((message) => error.message.startsWith(message))
  )
}

/**
 * The error for the log. Messages of failed statements begin with the whole statement and its values, hashes
 * and record contents among them: only what the database said of it is kept.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) {
    return error
  }
  const reason = error.message.split(' - ').at(-1) ?? ''
  if (reason === error.message) {
    return error
  }
  const told = new Error(reason)
  told.stack = error.stack?.replace(error.message, reason)
  return Object.assign(told, { code: error.code })
}
