import { DateTime } from 'luxon'
import { invalid } from '#exceptions/refusal'
import { eitherPoint } from '#zones/history/point'
import type { HistoryPoint } from '#zones/history/history'

/** A date with an optional time, without a time zone. */
const DATE_WITHOUT_ZONE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?$/

/**
 * Converts a typed timestamp to ISO 8601 in UTC; without a time zone it is local time of the user. Returns other text
 * unchanged: its reader refuses it. Throws a 400 `Refusal` for a date that does not exist.
 */
export function zonedTimestamp(field: string, text: string, timeZone: string): string {
  if (!DATE_WITHOUT_ZONE.test(text)) {
    return text
  }
  const moment = DateTime.fromISO(text.replace(' ', 'T'), { zone: timeZone }).toUTC()
  if (!moment.isValid) {
    throw invalid(
      `'${field}' must be a time such as 2026-11-20 12:00, found ${JSON.stringify(text)}`
    )
  }
  return moment.toISO()
}

/** Parses a version of a zone: the number of an entry, or a timestamp. Throws a 400 `Refusal`. */
export function typedPoint(field: string, text: string, timeZone: string): HistoryPoint {
  return eitherPoint(field, zonedTimestamp(field, text.trim(), timeZone))
}
