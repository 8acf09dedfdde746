import { InvalidDns } from '#dns/errors'
import { TTL_LIMIT } from '#dns/rdata/ttl'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
/** Maximum length of a text; longer ones are refused before parsing. */
const MAX_CHARACTERS = 100
const FORM = 'seconds, or numbers with the units s, m, h, d and w, such as 1h30m, up to'

/**
 * Parses a time in a zone file: seconds, or numbers with units (`1h30m`, `2W`) in any case.
 *
 * @param field for the message, such as 'ttl'
 * @param limit maximum in seconds
 * @throws InvalidDns on `field`
 */
export function duration(text: string, field: string, limit = TTL_LIMIT): number {
  const refusal = () =>
    new InvalidDns(field, text, `${FORM} ${limit} seconds`, { problem: 'is not a duration' })
  if (text.length > MAX_CHARACTERS) {
    const allowed = `${FORM} ${limit} seconds, of at most ${MAX_CHARACTERS} characters`
    throw new InvalidDns(field, text, allowed, { problem: `has ${text.length} characters` })
  }
  let sum = 0
  let number = ''
  for (const character of text.toLowerCase()) {
    if (character >= '0' && character <= '9') {
      number += character
      continue
    }
    const unit = SECONDS[character]
    if (unit === undefined || number === '') throw refusal()
    sum += Number(number) * unit
    number = ''
  }
  // Digits after the last unit are invalid; a text of digits only is seconds.
  if (number !== '' && number.length !== text.length) throw refusal()
  sum += Number(number)
  if (text === '' || sum > limit) throw refusal()
  return sum
}
