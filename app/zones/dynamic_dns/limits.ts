import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import dyndns from '#config/dyndns'
import { retryOnConflict } from '#database/conflicts'
import { clientNetwork } from '#dns/networks'
import { Refusal } from '#exceptions/refusal'

const TABLE = 'zw_dyndns_limits'
const MINUTE_MS = 60_000

/** Outdated rows are removed at most this often by each process. */
const PURGE_INTERVAL_MS = 5 * MINUTE_MS
let purgedAt = 0

/** A host, or whoever is at an address, changes addresses more often than the settings allow. */
export class TooManyChanges extends Refusal {
  constructor() {
    super(429, 'Too many changes by dynamic DNS (dyndns.changes_per_host, changes_per_address)')
  }
}

/**
 * Counts a change that is about to be made, of a host and from an address, in the database, so that all processes
 * count together. Throws `TooManyChanges` where either had its share; what is refused counts as well, and a window
 * ends all the same.
 */
export async function admitChange(hostname: string, address: string | null): Promise<void> {
  const { changes_per_host: perHost, changes_per_address: perAddress } = dyndns
  const fits = await countUpTo(perHost, `host ${hostname}`)
  const alsoFits = address === null || (await countUpTo(perAddress, netOf(address)))
  purgeNowAndThen()
  if (!fits || !alsoFits) {
    throw new TooManyChanges()
  }
}

function netOf(address: string): string {
  return `net ${clientNetwork(address)}`
}

/** Counts one more for a subject; whether it is within the limit. 0 is no limit, and counts nothing. */
async function countUpTo(limit: number, subject: string): Promise<boolean> {
  if (limit === 0) {
    return true
  }
  const now = momentIn(0)
  const end = momentIn(dyndns.limit_window)
  await retryOnConflict(() =>
    db
      .knexQuery()
      .table(TABLE)
      .insert({ subject, changes: 1, expires_at: end })
      .onConflict(['subject'])
      .merge({
        // Before expires_at: MariaDB assigns from left to right.
        changes: db.knexRawQuery(
          `case when ${TABLE}.expires_at <= ? then 1 else ${TABLE}.changes + 1 end`,
          [now]
        ),
        expires_at: db.knexRawQuery(
          `case when ${TABLE}.expires_at <= ? then ? else ${TABLE}.expires_at end`,
          [now, end]
        ),
      })
  )
  const row: { changes: number } | null = await db.from(TABLE).where({ subject }).first()
  return Number(row?.changes ?? 1) <= limit
}

/** Removes what does not count any more. Returns how many rows. */
export async function purgeLimits(): Promise<number> {
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
  purgeLimits().catch((error: unknown) => {
    logger.warn({ err: error }, 'Outdated counts of dynamic DNS were not removed')
  })
}

function momentIn(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE_MS).toISOString()
}
