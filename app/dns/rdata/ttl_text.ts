import { InvalidDns } from '#dns/errors'
import { ttl, TTL_LIMIT } from '#dns/rdata/ttl'

const UNITS: readonly (readonly [letter: string, seconds: number])[] = [
  ['w', 604800],
  ['d', 86400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
]
const ALLOWED_TEXT = `0 to ${TTL_LIMIT} seconds, or numbers with the units w, d, h, m and s, each at most once, such as 1h30m`
/** Maximum characters of a text: more than five numbers with units can have. */
const MAX_CHARACTERS = 60

/**
 * Returns the seconds of a TTL as written by users and in zone files: seconds, or numbers with the units w, d, h, m, s in any
 * case and order, each at most once.
 *
 * @throws InvalidDns on 'ttl'
 */
export function parseTtl(text: string): number {
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : secondsOf(text)
  if (seconds !== undefined && seconds <= TTL_LIMIT) return seconds
  throw new InvalidDns('ttl', text, ALLOWED_TEXT, { problem: 'is not a TTL' })
}

/**
 * Prints a TTL in units, largest first: 5400 is "1h30m", 0 is "0".
 *
 * @throws InvalidDns on 'ttl' for an invalid TTL
 */
export function printTtl(value: number): string {
  let rest = ttl(value)
  let text = ''
  for (const [letter, seconds] of UNITS) {
    const count = Math.floor(rest / seconds)
    if (count > 0) text += `${count}${letter}`
    rest -= count * seconds
  }
  return text || '0'
}

function secondsOf(text: string): number | undefined {
  const parts = text.length <= MAX_CHARACTERS ? (text.match(/\d{1,10}[wdhms]/gi) ?? []) : []
  const letters = parts.map((part) => part.slice(-1).toLowerCase())
  if (parts.length === 0 || parts.join('') !== text) return undefined
  if (new Set(letters).size < letters.length) return undefined
  const unitOf = new Map(UNITS)
  return parts.reduce(
    (sum, part, position) => sum + Number(part.slice(0, -1)) * unitOf.get(letters[position])!,
    0
  )
}
