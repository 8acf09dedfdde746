import { InvalidDns } from '#dns/errors'

/** A calendar day in the time zone of the caller; month 1..12, day 1..31. */
export interface CalendarDay {
  year: number
  month: number
  day: number
}

const MAX_SERIAL = 4294967295
const HALF_RANGE = 2 ** 31
const LAST_COUNTER = 1979999999

/**
 * Returns the serial after `current`. 0 stays 0, because PowerDNS then computes it. Below 1979999999 it increases by one;
 * 1979999999 wraps to 1. Above, it is YYYYMMDDnn: the first number of `today` or the next number, whichever is higher.
 * Otherwise it never decreases (RFC 1982), except at 4294967295, which wraps to 1.
 *
 * @param current 0..4294967295
 * @throws InvalidDns on 'serial'
 */
export function nextSerial(current: number, today: CalendarDay): number {
  if (!Number.isInteger(current) || current < 0 || current > MAX_SERIAL) {
    throw new InvalidDns('serial', String(current), `0 to ${MAX_SERIAL} (RFC 1035, 3.3.13)`)
  }
  if (current === 0) return 0
  if (current < LAST_COUNTER) return current + 1
  if (current === LAST_COUNTER) return 1
  const first = firstSerial(today)
  const next = current < first ? first : successor(current)
  return next > MAX_SERIAL ? 1 : next
}

/** Returns the serial of a zone that is created `today`: YYYYMMDD00. */
export function firstSerial(today: CalendarDay): number {
  return ((today.year * 100 + today.month) * 100 + today.day) * 100
}

/** Returns whether serial `a` is newer than `b` in serial number arithmetic (RFC 1982, 3.2). */
export function serialIsNewer(a: number, b: number): boolean {
  const ahead = (a - b + MAX_SERIAL + 1) % (MAX_SERIAL + 1)
  return ahead > 0 && ahead < HALF_RANGE
}

function successor(serial: number): number {
  if (serial % 100 < 99) return serial + 1
  const date = Math.floor(serial / 100)
  const day = {
    year: Math.floor(date / 10000),
    month: Math.floor(date / 100) % 100,
    day: date % 100,
  }
  // A number that is no valid date has no next day; it increases by one.
  return isCalendarDay(day) ? firstSerial(dayAfter(day)) : serial + 1
}

function isCalendarDay({ year, month, day }: CalendarDay): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function dayAfter({ year, month, day }: CalendarDay): CalendarDay {
  if (day < daysIn(year, month)) return { year, month, day: day + 1 }
  return month < 12 ? { year, month: month + 1, day: 1 } : { year: year + 1, month: 1, day: 1 }
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
