import { ifValid } from '#dns/errors'
import { namePattern } from '#dns/names/name_patterns'

/*
 * Entries of lists by which an operator says what a policy is about: patterns of names (name_patterns.ts), alone or
 * with a word behind a blank. Each reader gives undefined for what is no such entry.
 */

/** Some RRsets: their owner names, and their types in upper case. */
export interface TypedPattern {
  name: string
  types: ReadonlySet<string>
}

/** Somebody, and the zones that it is about. */
export interface UserPattern {
  name: string
  username: string
}

const TYPES = /^[A-Z][A-Z0-9-]{0,15}(\/[A-Z][A-Z0-9-]{0,15})*$/

/** A pattern of names: `*.mail.example.com`. */
export function namedPattern(text: string): string | undefined {
  return text === '' ? undefined : ifValid(() => namePattern(text))
}

/** A pattern of names, and types with slashes between them: `_acme-challenge.** TXT/CNAME`. */
export function typedPattern(text: string): TypedPattern | undefined {
  const [pattern, types, ...rest] = text.split(/ +/)
  const name = namedPattern(pattern)
  const words = (types ?? '').toUpperCase()
  return name === undefined || rest.length > 0 || !TYPES.test(words)
    ? undefined
    : { name, types: new Set(words.split('/')) }
}

/** A pattern of names, and a user name: `*.example.com alice`. */
export function userPattern(text: string): UserPattern | undefined {
  const at = text.indexOf(' ')
  const name = at > 0 ? namedPattern(text.slice(0, at)) : undefined
  const username = text.slice(at + 1).trim()
  return name === undefined || username === '' ? undefined : { name, username }
}
