import { randomBytes } from 'node:crypto'

/** Returns a unique word. Tests share one database. */
export function unique(word: string): string {
  return `${word}-${randomBytes(6).toString('hex')}`
}

/** Returns a unique zone name without a parent or child zone. */
export function zoneNamed(word = 'zone'): string {
  return `${unique(word)}.test`
}
