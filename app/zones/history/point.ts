import { storedMoment } from '#database/rows/timestamps'
import { invalid } from '#exceptions/refusal'
import type { HistoryPoint } from '#zones/history/history'

const ENTRY = /^\d{1,9}$/

/** The point of `entry` or `time`, exactly one of which must be given. Throws a 400 `Refusal`. */
export function pointFrom(entry: string | undefined, time: string | undefined): HistoryPoint {
  if (Boolean(entry) === Boolean(time)) {
    throw invalid("Give one of 'entry' (number of a journal entry) and 'time' (ISO 8601)")
  }
  return entry ? { entry: entryNumber('entry', entry) } : { time: moment('time', time ?? '') }
}

/** The point of a field that takes either: digits are an entry, anything else is a time. */
export function eitherPoint(field: string, text: string): HistoryPoint {
  return ENTRY.test(text) ? { entry: Number(text) } : { time: moment(field, text) }
}

/** The number of a journal entry. Throws a 400 `Refusal` for anything else. */
export function entryNumber(field: string, text: string): number {
  if (!ENTRY.test(text)) {
    throw invalid(`'${field}' must be the number of a journal entry, found ${shown(text)}`)
  }
  return Number(text)
}

/**
 * A moment as own tables store it. Without a zone it is UTC; a day alone is its first moment. A "+" that an
 * address turned into a space is taken. Throws a 400 `Refusal` for what is none.
 */
export function moment(field: string, text: string): string {
  const stored = storedMoment(text.replace(/ (?=\d\d:?\d\d$)/, '+'))
  if (stored === null) {
    throw invalid(`'${field}' must be a time such as 2026-11-20T12:00:00Z, found ${shown(text)}`)
  }
  return stored
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
