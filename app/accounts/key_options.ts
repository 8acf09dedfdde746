import type { KeyOperation } from '#access/actor'
import { KEY_OPERATIONS } from '#accounts/api_keys'
import { invalid } from '#exceptions/refusal'

/** Operations from a comma list; none means all. Throws a 400 that names the unknown word. */
export function operationsFrom(list: string | undefined): KeyOperation[] {
  if (list === undefined) {
    return []
  }
  const words = list.split(',').map((word) => word.trim().toLowerCase())
  return [...new Set(words)].map((word) => {
    const operation = KEY_OPERATIONS.find((known) => known === word)
    if (!operation) {
      throw invalid(`"${word}" is no operation; there are ${KEY_OPERATIONS.join(', ')}`)
    }
    return operation
  })
}

/** The moment an ISO 8601 date or time names (a date alone: its start in UTC); null when absent. */
export function expiryFrom(text: string | undefined): string | null {
  if (text === undefined) {
    return null
  }
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(moment.getTime())) {
    throw invalid(`"${text}" is no ISO 8601 date, such as 2027-01-31 or 2027-01-31T12:00:00Z`)
  }
  return moment.toISOString()
}
