const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Characters of a moment as it is stored. Years of more than four digits take more, and do not sort as text. */
const LENGTH = 24

/**
 * A moment that somebody wrote (ISO 8601), as own tables store it; null for what is none. Without a time zone it
 * is UTC, whatever the clock of the server says; a day alone is its first moment.
 */
export function storedTimestamp(text: string): string | null {
  const [, day, time, , , zone] = TIMESTAMP.exec(text) ?? []
  if (day === undefined || !isDay(day)) {
    return null
  }
  const date = new Date(time !== undefined && zone === undefined ? `${text}Z` : text)
  const isTimestamp = !Number.isNaN(date.getTime()) && date.toISOString().length === LENGTH
  return isTimestamp ? date.toISOString() : null
}

/** Whether there is such a day: JavaScript takes February 30 for March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
