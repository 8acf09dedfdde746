import { DateTime } from 'luxon'
import { invalid } from '#exceptions/refusal'
import { eitherPoint } from '#zones/history/point'
import type { HistoryPoint } from '#zones/history/history'

/** A day, perhaps with a time, and no time zone. */
const PLAIN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?$/

/**
 * What somebody typed for a moment, which is of their own time zone where they name none, as ISO 8601 in UTC. Anything else
 * comes back as it is, for whoever reads it next to refuse. Throws a 400 `Refusal` for a day that there is not.
 */
export function zonedTimestamp(field: string, text: string, timeZone: string): string {
  if (!PLAIN.test(text)) {
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

/** A point in the life of a zone that somebody typed: the number of an entry, or a moment. Throws a 400 `Refusal`. */
export function typedPoint(field: string, text: string, timeZone: string): HistoryPoint {
  return eitherPoint(field, zonedTimestamp(field, text.trim(), timeZone))
}
