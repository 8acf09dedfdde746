import { createHmac } from 'node:crypto'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { retryOnConflict } from '#database/conflicts'
import { derivedKey } from '#start/derived_key'

const TABLE = 'zw_sign_in_failures'
const MINUTE_MS = 60_000

/** Outdated rows are removed at most this often by each process. */
const PURGE_INTERVAL_MS = MINUTE_MS
let purgedAt = 0

/** Whose wrong passwords are counted together. */
export interface Counter {
  username: string
  /** As `clientNetwork` writes it; empty where addresses do not count. */
  network: string
}

/** Number of wrong passwords that count at this moment. */
export async function failuresOf({ username, network }: Counter): Promise<number> {
  const row: { failures: number } | null = await db
    .from(TABLE)
    .where({ subject: subjectOf(username), network })
    .where('expires_at', '>', momentIn(0))
    .select('failures')
    .first()
  return Number(row?.failures ?? 0)
}

/**
 * Counts a wrong password, in one statement, so that none is lost among many at once. All of the counter's are
 * forgotten when so many minutes pass without one.
 */
export async function countFailure({ username, network }: Counter, minutes: number): Promise<void> {
  const now = momentIn(0)
  const row = {
    subject: subjectOf(username),
    network,
    failures: 1,
    expires_at: momentIn(minutes),
  }
  await retryOnConflict(() =>
    db
      .knexQuery()
      .table(TABLE)
      .insert(row)
      .onConflict(['subject', 'network'])
      .merge({
        // Before expires_at: MariaDB assigns from left to right.
        failures: db.knexRawQuery(
          `case when ${TABLE}.expires_at <= ? then 1 else ${TABLE}.failures + 1 end`,
          [now]
        ),
        expires_at: row.expires_at,
      })
  )
  purgeNowAndThen()
}

/** Forgets the wrong passwords of a counter; of a user from everywhere without a network. */
export async function forgetFailures({
  username,
  network,
}: Pick<Counter, 'username'> & Partial<Counter>): Promise<void> {
  const rows = { subject: subjectOf(username), ...(network === undefined ? {} : { network }) }
  await retryOnConflict(() => db.from(TABLE).where(rows).delete())
}

/** Removes what does not count any more. Returns how many rows. */
export async function purgeFailures(): Promise<number> {
  const removed: unknown = await retryOnConflict(() =>
    db.from(TABLE).where('expires_at', '<=', momentIn(0)).delete()
  )
  return Number(removed)
}

/** Nobody waits for it. */
function purgeNowAndThen(): void {
  if (Date.now() - purgedAt < PURGE_INTERVAL_MS) {
    return
  }
  purgedAt = Date.now()
  purgeFailures().catch((error: unknown) => {
    logger.warn({ err: error }, 'Outdated wrong passwords were not removed')
  })
}

function subjectOf(username: string): string {
  return createHmac('sha256', derivedKey('sign-in failures')).update(username).digest('hex')
}

function momentIn(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE_MS).toISOString()
}
