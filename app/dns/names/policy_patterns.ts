import { ifValid } from '#dns/errors'
import { namePattern } from '#dns/names/name_patterns'

/*
 * Entries of lists in the settings of policies: patterns of names (name_patterns.ts), alone or followed by a space and a word.
 * The parsers return undefined for an invalid entry.
 */

/** RRsets by owner name, and by type in upper case. */
export interface TypedPattern {
  name: string
  types: ReadonlySet<string>
}

/** A user, and the pattern of the zones that the policy covers for this user. */
export interface UserPattern {
  name: string
  username: string
}

const TYPES = /^[A-Z][A-Z0-9-]{0,15}(\/[A-Z][A-Z0-9-]{0,15})*$/

/** Parses a pattern of names: `*.mail.example.com`. */
export function namedPattern(text: string): string | undefined {
  return text === '' ? undefined : ifValid(() => namePattern(text))
}

/** Parses a pattern of names, and types separated by slashes: `_acme-challenge.** TXT/CNAME`. */
export function typedPattern(text: string): TypedPattern | undefined {
  const [pattern, types, ...rest] = text.split(/ +/)
  const name = namedPattern(pattern)
  const words = (types ?? '').toUpperCase()
  return name === undefined || rest.length > 0 || !TYPES.test(words)
    ? undefined
    : { name, types: new Set(words.split('/')) }
}

/** Parses a pattern of names, and a user name: `*.example.com alice`. */
export function userPattern(text: string): UserPattern | undefined {
  const position = text.indexOf(' ')
  const name = position > 0 ? namedPattern(text.slice(0, position)) : undefined
  const username = text.slice(position + 1).trim()
  return name === undefined || username === '' ? undefined : { name, username }
}
