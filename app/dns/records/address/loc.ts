import { InvalidDns } from '#dns/errors'
import { byteText, textTokens } from '#dns/rdata/character_strings'
import { refusal, wordText, type TextField } from '#dns/records/fields'
import { locFromWire } from '#dns/records/address/loc_data'
import type { RecordType } from '#dns/records/record_type'

const FORM = 'latitude longitude altitude [size [horizontal [vertical]]] (RFC 1876, 3)'
const MIN_ALTITUDE_CM = -10_000_000
const MAX_ALTITUDE_CM = 4_284_967_295
/** Maximum in centimetres. RFC 1876 allows 90000000.00m, PowerDNS only 32 bits of centimetres. */
const MAX_PRECISION_CM = 4_294_967_295
const DEGREE_UNITS = 3_600_000

/** In the order of the text, which differs from the wire format. */
const ANGLE_FIELDS: readonly TextField[] = [
  angleOf('latitude', ['N', 'S'], 90),
  angleOf('longitude', ['E', 'W'], 180),
  metresOf('altitude', MIN_ALTITUDE_CM, MAX_ALTITUDE_CM),
  metresOf('size', 0, MAX_PRECISION_CM, oneDigit),
  metresOf('horizontal', 0, MAX_PRECISION_CM, oneDigit),
  metresOf('vertical', 0, MAX_PRECISION_CM, oneDigit),
]
/** Values of the last fields if they are absent (RFC 1876, 3). */
const DEFAULTS: Readonly<Record<string, string>> = {
  size: '1.00m',
  horizontal: '10000.00m',
  vertical: '10.00m',
}

export const loc: RecordType = {
  type: 'LOC',
  rfc: 'RFC 1876',
  summary: 'The geographic position of a host or network, with its precision',
  example: '51 30 12.748 N 0 7 39.611 W 10.00m 1.00m 10000.00m 10.00m',
  trap: 'Decimal degrees; use degrees, minutes and seconds',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ANGLE_FIELDS.map(({ name }) => name),
  parse: values,
  canonical: (content) => values(content).join(' '),
  fromWire: locFromWire,
  present: (content) => content,
  targets: () => [],
}

function values(content: string): string[] {
  const tokens = textTokens(content)
  let position = 0
  const texts = ANGLE_FIELDS.map((field) => {
    if (position < tokens.length) {
      const { text, taken } = field.read({ tokens: tokens.slice(position), content })
      position += taken
      return text
    }
    const text = DEFAULTS[field.name]
    if (text !== undefined) return text
    throw new InvalidDns('content', content, FORM, { problem: `has no ${field.name}` })
  })
  if (position === tokens.length) return texts
  throw new InvalidDns('content', content, FORM, { problem: 'has too many fields' })
}

/** Degrees, minutes, seconds and a direction. The wire format of zero has no direction; PowerDNS prints the second one. */
function angleOf(name: string, directions: [string, string], limit: number): TextField {
  const allowed =
    `degrees [minutes [seconds]] ${directions.join('|')}, at most ${limit} degrees, ` +
    '59 minutes and 59.999 seconds'
  return {
    name,
    read({ tokens, content }) {
      const words = tokens
        .slice(0, 4)
        .map(({ bytes, quoted }) => (quoted ? '"' : byteText(bytes).toUpperCase()))
      const end = words.findIndex((word) => directions.includes(word))
      const [degrees, minutes = 0, thousandths = 0] = words
        .slice(0, Math.max(end, 0))
        .map((word, index) => (index < 2 ? decimal(word, 3, 0) : decimal(word, 2, 3)))
      const total = degrees * DEGREE_UNITS + minutes * 60_000 + thousandths
      const isRight = minutes < 60 && thousandths < 60_000 && total <= limit * DEGREE_UNITS
      if (end < 1 || !isRight) throw refusal(content, name, allowed)
      const direction = total === 0 ? directions[1] : words[end]
      const seconds = fixed(thousandths, 3)
      return { text: `${degrees} ${minutes} ${seconds} ${direction}`, taken: end + 1 }
    },
  }
}

/** Metres from `min` to `max` centimetres, with or without "m". */
function metresOf(
  name: string,
  min: number,
  max: number,
  round: (centimetres: number) => number = (centimetres) => centimetres
): TextField {
  return wordText(name, (word, content) => {
    const [, sign, digits] = /^(-?)([\d.]+)m?$/i.exec(word) ?? ['', '', '']
    const centimetres = decimal(digits, 8, 2) * (sign === '-' ? -1 : 1)
    if (centimetres >= min && centimetres <= max) return `${fixed(round(centimetres), 2)}m`
    throw refusal(content, name, `${fixed(min, 2)} to ${fixed(max, 2)} metres`)
  })
}

/** Returns `text` times ten to the power of `places`; NaN for an invalid number or too many digits. */
function decimal(text: string, digits: number, places: number): number {
  const [whole, part, more] = text.split('.')
  const isRight = /^\d+$/.test(whole) && whole.length <= digits && more === undefined
  if (!isRight || (part !== undefined && !/^\d+$/.test(part))) return Number.NaN
  const padded = (part ?? '').padEnd(places, '0')
  return padded.length > places ? Number.NaN : Number(whole + padded)
}

function fixed(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Rounds down to one digit and a power of ten, the precision of the wire format. */
function oneDigit(value: number): number {
  let power = 1
  while (value >= power * 10) power *= 10
  return Math.trunc(value / power) * power
}
