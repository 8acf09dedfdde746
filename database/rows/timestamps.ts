const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Characters of a stored timestamp. Longer years do not sort as text. */
const TIMESTAMP_LENGTH = 24

/**
 * Converts an ISO 8601 date or time to the form that Zonewright's tables store; null if it is invalid. Without a time zone it is
 * UTC; a date is its midnight.
 */
export function storedTimestamp(text: string): string | null {
  const [, day, time, , , zone] = TIMESTAMP.exec(text) ?? []
  if (day === undefined || !isDay(day)) {
    return null
  }
  const date = new Date(time !== undefined && zone === undefined ? `${text}Z` : text)
  const isTimestamp =
    !Number.isNaN(date.getTime()) && date.toISOString().length === TIMESTAMP_LENGTH
  return isTimestamp ? date.toISOString() : null
}

/** Whether the date exists: JavaScript reads February 30 as March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
