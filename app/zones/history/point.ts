import { storedTimestamp } from '#database/rows/timestamps'
import { invalid } from '#exceptions/refusal'
import type { HistoryPoint } from '#zones/history/history'

const ENTRY_NUMBER = /^\d{1,9}$/

/**
 * Returns the point of `entry` or `time`. Exactly one is required; otherwise throws a 400
 * `Refusal`.
 */
export function pointFrom(entry: string | undefined, time: string | undefined): HistoryPoint {
  if (Boolean(entry) === Boolean(time)) {
    throw invalid("Send exactly one of 'entry' (number of a journal entry) and 'time' (ISO 8601)")
  }
  return entry ? { entry: entryNumber('entry', entry) } : { time: moment('time', time ?? '') }
}

/** Parses a field that takes either: digits are an entry, any other text is a time. */
export function eitherPoint(field: string, text: string): HistoryPoint {
  return ENTRY_NUMBER.test(text) ? { entry: Number(text) } : { time: moment(field, text) }
}

/** Parses the number of a journal entry. Throws a 400 `Refusal`. */
export function entryNumber(field: string, text: string): number {
  if (!ENTRY_NUMBER.test(text)) {
    throw invalid(`'${field}' must be the number of a journal entry, found ${quoteText(text)}`)
  }
  return Number(text)
}

/**
 * Parses a time into the format of Zonewright tables. UTC without a time zone; a date is its first
 * millisecond. Accepts a space for a "+" that a URL decoded. Throws a 400 `Refusal`.
 */
export function moment(field: string, text: string): string {
  const timestamp = storedTimestamp(text.replace(/ (?=\d\d:?\d\d$)/, '+'))
  if (timestamp === null) {
    throw invalid(
      `'${field}' must be a time such as 2026-11-20T12:00:00Z, found ${quoteText(text)}`
    )
  }
  return timestamp
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
