import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { ok, remark, wrongFinding, type Finding } from '#health/doctor/finding'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'

/**
 * Allowed difference of two clocks in seconds. Serials and expiry times need no higher precision.
 */
const MAX_OFFSET_SECONDS = 10

/** An earlier time is wrong: Zonewright did not exist then. */
const MIN_PLAUSIBLE_TIME = Date.UTC(2026, 0, 1)

/** Checks that the clock is plausible, agrees with the database, and that a time zone is set. */
export async function clock(client: QueryClientContract): Promise<Finding[]> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zoneFinding = process.env.TZ
    ? ok('time_zone', `The time zone is ${zone}`)
    : remark(
        'time_zone',
        `The time zone is ${zone}, the default of the system; serials of zones follow it`,
        'Set TZ, for example TZ=Europe/Berlin or TZ=UTC'
      )
  return [await clockFinding(client), zoneFinding]
}

async function clockFinding(client: QueryClientContract): Promise<Finding> {
  if (Date.now() < MIN_PLAUSIBLE_TIME) {
    return wrongFinding(
      'clock',
      `The clock shows ${new Date().toISOString()}`,
      'Set the clock, or use NTP'
    )
  }
  const { clockSeconds } = dialectOf(client)
  if (clockSeconds === null) {
    return ok('clock', 'The clock is plausible')
  }
  const [{ seconds }] = await rawRows<{ seconds: number | string }>(client, clockSeconds, [])
  const difference = Math.round(Math.abs(Date.now() / 1000 - Number(seconds)))
  return difference > MAX_OFFSET_SECONDS
    ? wrongFinding(
        'clock',
        `The clocks of this machine and of the database differ by ${difference} seconds`,
        'Use NTP on both machines'
      )
    : ok('clock', 'The clock agrees with that of the database')
}
