import { isLostRace } from '#database/conflicts'
import { FILE_REPLACED } from '#database/schema/sqlite_file'
import { isAfterCommit } from '#database/transaction'

/** Temporary failures of a database; a retry may succeed. */
export type DatabaseFailure = 'down' | 'busy' | 'read-only' | 'full' | 'exhausted' | 'replaced'

/** Codes of the operating system, drivers and databases by failure. */
const CODES: Record<DatabaseFailure, string[]> = {
  'down': [
    'EAI_AGAIN',
    'ECONNABORTED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'ENETDOWN',
    'ENETUNREACH',
    'ENOENT',
    'ENOTFOUND',
    'EPIPE',
    'ETIMEDOUT',
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
    'PROTOCOL_SEQUENCE_TIMEOUT',
    'ER_CONNECTION_KILLED',
    'ER_NET_ERROR_ON_WRITE',
    'ER_NET_READ_ERROR',
    'ER_NET_READ_INTERRUPTED',
    'ER_NET_WRITE_INTERRUPTED',
    'ER_NEW_ABORTING_CONNECTION',
    'ER_NORMAL_SHUTDOWN',
    'ER_SERVER_SHUTDOWN',
    // A Galera node without quorum.
    'ER_UNKNOWN_COM_ERROR',
    '58000',
    // The database rejects the account, or does not exist.
    '28000',
    '28P01',
    '3D000',
    'ER_ACCESS_DENIED_ERROR',
    'ER_BAD_DB_ERROR',
    'ER_DBACCESS_DENIED_ERROR',
    'ER_HOST_IS_BLOCKED',
    'ER_HOST_NOT_PRIVILEGED',
    '58030',
    'SQLITE_CANTOPEN',
    'SQLITE_IOERR',
    'SQLITE_PROTOCOL',
  ],
  'busy': [
    '40001',
    '40P01',
    '55P03',
    '57014',
    'ER_CHECKREAD',
    'ER_LOCK_DEADLOCK',
    'ER_LOCK_NOWAIT',
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_QUERY_INTERRUPTED',
    'ER_QUERY_TIMEOUT',
    'ER_STATEMENT_TIMEOUT',
    'SQLITE_BUSY',
    'SQLITE_LOCKED',
  ],
  'read-only': [
    '25006',
    'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_READ_ONLY_MODE',
    'SQLITE_READONLY',
  ],
  'full': ['53100', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL', 'SQLITE_FULL'],
  'exhausted': [
    '53000',
    '53200',
    '53300',
    '53400',
    'ER_CON_COUNT_ERROR',
    'ER_OUTOFMEMORY',
    'ER_OUT_OF_RESOURCES',
    'ER_TOO_MANY_USER_CONNECTIONS',
    'ER_USER_LIMIT_REACHED',
    'SQLITE_NOMEM',
  ],
  'replaced': [FILE_REPLACED],
}

const FAILURE_BY_CODE = new Map(
  Object.entries(CODES).flatMap(([failure, codes]) =>
    codes.map((code) => [code, failure as DatabaseFailure] as const)
  )
)

/** Error numbers of MariaDB that the driver names wrongly or not at all. */
const BY_NUMBER = new Map<number, DatabaseFailure>([
  [1021, 'full'],
  [1114, 'full'],
  [1047, 'down'],
  [1053, 'down'],
  [1927, 'down'],
  [1290, 'read-only'],
  [1792, 'read-only'],
  [1836, 'read-only'],
  [1969, 'busy'],
])

/**
 * Classes of SQLSTATE: connection exceptions, operator interventions (SQL:2016, PostgreSQL appendix
 * A).
 */
const DOWN_CODES = /^(08...|57P0.)$/

/** PostgreSQL's code for internal errors. */
const INTERNAL_ERROR_CODE = 'XX000'

/** Beginnings of driver messages without a code. */
const MESSAGES = [
  "Can't add new command when connection is in closed state",
  'Cannot enqueue ',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection closed',
  'Connection ended unexpectedly',
  'Connection lost',
  'Connection terminated',
  'The database connection is not open',
  'The server closed the connection',
  'Unable to acquire a connection',
  'terminating connection ',
  'timeout expired',
  'timeout exceeded when trying to connect',
]

/** Message of each failure, and seconds until a retry. */
export const FAILURES: Record<DatabaseFailure, { message: string; retryAfter: number }> = {
  'down': { message: 'The database cannot be reached', retryAfter: 5 },
  'busy': { message: 'The database is busy with other writes', retryAfter: 2 },
  'read-only': { message: 'The database does not accept writes: it is read-only', retryAfter: 15 },
  'full': { message: 'The database does not accept writes: its disk is full', retryAfter: 60 },
  'exhausted': {
    message: 'The database has no memory or no connections left for the request',
    retryAfter: 5,
  },
  'replaced': {
    message:
      'The file of the database (DB_FILE) was replaced or removed while the service was running: restart the service',
    retryAfter: 60,
  },
}

/** Message for a connection that was lost after COMMIT was sent. */
export const OUTCOME_UNKNOWN = 'The database did not confirm the change: its outcome is unknown'

/** Whether the connection was lost after COMMIT was sent: the change may be committed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isAfterCommit(error) && databaseFailure(error) === 'down'
}

/** Foreign key errors for a referenced row that was deleted. */
const MISSING_ROW_CODES = new Set([
  '23503',
  'ER_NO_REFERENCED_ROW_2',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
])

/** Whether the write refers to a row that was deleted concurrently. */
export function isMissingRow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING_ROW_CODES.has(String(error.code))
}

/** Message for `isTooLong`. */
export const TOO_LONG =
  'One RRset of the change is larger than the database accepts (max_allowed_packet)'

/** Whether one value of the write exceeds `max_allowed_packet` of MariaDB. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ER_NET_PACKET_TOO_LARGE'
}

/** Returns whether a file is missing; excludes sockets of a database. */
function isMissingFile(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && syscall !== 'connect'
}

/** The failure of the database, if a retry may succeed; null for other errors. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) {
    return null
  }
  const { code, errno, sqlState } = error as { code?: unknown; errno?: unknown; sqlState?: unknown }
  if (code === undefined || code === null) {
    return error.name === 'KnexTimeoutError' || isLossInWords(error) ? 'down' : null
  }
  if (isMissingFile(error)) {
    return null
  }
  const word = String(code)
  // SQLite appends details to a code, as in SQLITE_IOERR_FSYNC.
  const base = /^SQLITE_[A-Z]+/.exec(word)?.[0] ?? word
  const ofNumber = sqlState !== undefined ? BY_NUMBER.get(Number(errno)) : undefined
  const ofClass =
    DOWN_CODES.test(word) || (word === INTERNAL_ERROR_CODE && isLossInWords(error))
      ? 'down'
      : undefined
  const ofRace = isLostRace(error) ? 'busy' : undefined
  return FAILURE_BY_CODE.get(base) ?? ofNumber ?? ofClass ?? ofRace ?? null
}

/** Whether the database is temporarily unavailable; a retry may succeed. */
export function isDatabaseDown(error: unknown): boolean {
  return databaseFailure(error) !== null
}

/** The query builder puts the statement before the message of the driver. */
function isLossInWords({ message }: Error): boolean {
  const reason = message.split(' - ').at(-1) ?? ''
  return MESSAGES.some((beginning) => reason.startsWith(beginning))
}

/**
 * The error for the log. Messages of failed statements begin with the statement and its values,
 * such as hashes and record contents: only the message of the database remains.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error) || (!('code' in error) && !isLossInWords(error))) {
    return error
  }
  const reason = error.message.split(' - ').at(-1) ?? ''
  if (reason === error.message) {
    return error
  }
  const logged = new Error(reason)
  logged.stack = error.stack?.replace(error.message, reason)
  return 'code' in error ? Object.assign(logged, { code: error.code }) : logged
}
