import type { CalendarDay } from '#dns/rdata/serial'

/** Today in the server's time zone (`TZ`), for SOA serials. */
export function today(now: Date = new Date()): CalendarDay {
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() }
}

/** The current time as in Zonewright tables: ISO 8601 in UTC with milliseconds. */
export function timestampNow(): string {
  return new Date().toISOString()
}

/** The time `hours` ago, in the same form. */
export function timestampBefore(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}
