import type { KeyOperation, KeyPattern } from '#access/actor'
import type { PatternItem } from '#accounts/keys/scope'
import { storedMoment } from '#database/rows/timestamps'
import { namePattern } from '#dns/names/name_patterns'
import { recordType } from '#dns/records/registry'
import { invalid } from '#exceptions/refusal'

/** Longest time without use after which a key can end. */
export const MAX_IDLE_DAYS = 3650

export const KEY_OPERATIONS: KeyOperation[] = ['view', 'create', 'update', 'delete']

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

/**
 * Patterns from a comma list, each a name and perhaps its types: `_acme-challenge.example.com:TXT,
 * *.dyn.example.com:A+AAAA`. They are checked where the key is made.
 */
export function patternsFrom(list: string | undefined): PatternItem[] {
  return textsFrom(list).map((item) => {
    const [name, types, ...more] = item.split(':')
    if (more.length > 0 || types === '') {
      throw invalid(
        `"${item}" is no pattern; write it as *.dyn.example.com or *.dyn.example.com:A+AAAA`
      )
    }
    return { name, types: types === undefined ? null : types.split('+') }
  })
}

/** Texts from a comma list. */
export function textsFrom(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(',').map((text) => text.trim())
}

/**
 * The canonical pattern. Throws `InvalidDns` for a name that is none, and a 400 `Refusal` for a type that is
 * not known.
 *
 * @param index its place in the list, for the message
 */
export function patternFrom({ name, types }: PatternItem, index: number): KeyPattern {
  const known = types?.map((text) => {
    const type = recordType(text)?.type
    if (type === undefined) {
      throw invalid(
        `Field 'patterns.${index}.types': ${JSON.stringify(text.slice(0, 100))} is no record type; allowed are types such as A, AAAA, TXT, or none for all`
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
 * The moment an ISO 8601 date or time names, in UTC where it says no time zone (a date alone: its start); null when
 * absent. A blank may stand for the T. Throws a 400 `Refusal` for what is none.
 */
export function expiryFrom(text: string | undefined): string | null {
  if (text === undefined) {
    return null
  }
  const expiry = storedMoment(text.replace(/^(\S{10}) /, '$1T'))
  if (expiry === null) {
    throw invalid(
      `Field 'expires_at': ${JSON.stringify(text.slice(0, 100))} is no ISO 8601 date, such as 2027-01-31 or 2027-01-31T12:00:00Z`
    )
  }
  return expiry
}
