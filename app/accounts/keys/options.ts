import type { KeyOperation, KeyPattern } from '#access/actor'
import type { PatternItem } from '#accounts/keys/scope'
import { storedTimestamp } from '#database/rows/timestamps'
import { namePattern } from '#dns/names/name_patterns'
import { recordType } from '#dns/records/registry'
import { invalid } from '#exceptions/refusal'

/** Maximum number of days without use that can be set. */
export const MAX_IDLE_DAYS = 3650

export const KEY_OPERATIONS: KeyOperation[] = ['view', 'create', 'update', 'delete']

/**
 * Parses a comma list of operations; empty means all. Throws a 400 that names the unknown
 * operation.
 */
export function parseOperations(list: string | undefined): KeyOperation[] {
  if (list === undefined) {
    return []
  }
  const words = list.split(',').map((word) => word.trim().toLowerCase())
  return [...new Set(words)].map((word) => {
    const operation = KEY_OPERATIONS.find((known) => known === word)
    if (!operation) {
      throw invalid(`"${word}" is not an operation; allowed: ${KEY_OPERATIONS.join(', ')}`)
    }
    return operation
  })
}

/**
 * Parses a comma list of names with optional types: `_acme-challenge.example.com:TXT,
 * *.dyn.example.com:A+AAAA`. The creation of the key validates them.
 */
export function parsePatterns(list: string | undefined): PatternItem[] {
  return parseTexts(list).map((item) => {
    const [name, types, ...more] = item.split(':')
    if (more.length > 0 || types === '') {
      throw invalid(
        `"${item}" is not a pattern; write it as *.dyn.example.com or *.dyn.example.com:A+AAAA`
      )
    }
    return { name, types: types === undefined ? null : types.split('+') }
  })
}

/** Parses a comma list of texts. */
export function parseTexts(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(',').map((text) => text.trim())
}

/**
 * Returns the canonical pattern. Throws `InvalidDns` for an invalid name, and a 400 `Refusal` for
 * an unknown type.
 *
 * @param index index in the list, for the message
 */
export function parsePattern({ name, types }: PatternItem, index: number): KeyPattern {
  const known = types?.map((text) => {
    const type = recordType(text)?.type
    if (type === undefined) {
      throw invalid(
        `Field 'patterns.${index}.types': ${JSON.stringify(text.slice(0, 100))} is not a record type; allowed: types such as A, AAAA, TXT, or none for all`
      )
    }
    return type
  })
  return {
    name: namePattern(name, `patterns.${index}.name`),
    types: known && known.length > 0 ? new Set(known) : null,
  }
}

/**
 * Parses an ISO 8601 date or time, with T or a space; UTC without a time zone, and the start of a
 * date. null if absent. Throws a 400 `Refusal`.
 */
export function parseExpiry(text: string | undefined): string | null {
  if (text === undefined) {
    return null
  }
  const expiry = storedTimestamp(text.replace(/^(\S{10}) /, '$1T'))
  if (expiry === null) {
    throw invalid(
      `Field 'expires_at': ${JSON.stringify(text.slice(0, 100))} is not an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z`
    )
  }
  return expiry
}
