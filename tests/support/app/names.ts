import { randomBytes } from 'node:crypto'

/** A word that nobody else uses: tests share one database. */
export function unique(word: string): string {
  return `${word}-${randomBytes(6).toString('hex')}`
}

/** A zone name that nobody else uses, with no zone above or below it. */
export function zoneNamed(word = 'zone'): string {
  return `${unique(word)}.test`
}
