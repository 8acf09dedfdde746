import { isWithin } from '#dns/names/name_tree'

const KEY_LIMIT = 255
/*
 * Numbers use the 47 characters 0x30 "0" to 0x5e "^", which sort after "-", "." and "/", and before
 * "_" and letters. The first character encodes the number of digits, so longer numbers sort later.
 * A number has at most as many characters as digits.
 */
const FIRST_DIGIT_CODE = 0x30
const BASE = 47
const TEN_TO_99 = FIRST_DIGIT_CODE + 10
const UP_TO_999 = TEN_TO_99 + 9
const UP_TO_9999 = UP_TO_999 + 9
/** First characters for numbers of 5 to 13 digits; the last of the 47 is for longer ones. */
const LAST_PACKED_DIGIT = UP_TO_9999 + 9
const MAX_PACKED_DIGITS = 13
const LONG_NUMBER_DIGIT = FIRST_DIGIT_CODE + BASE - 1
const MAX_DIGITS = 1000

/**
 * Returns a key whose byte order is the natural, case-insensitive order: host2 before host10. Equal for texts that differ only
 * in case or leading zeros. At most as long as the text, and at most 255 characters. The column needs a binary collation,
 * because upper-case letters encode numbers.
 */
export function naturalSortKey(text: string): string {
  const folded = text.slice(0, 4 * KEY_LIMIT).toLowerCase()
  const key = folded.replace(/\d+|[:-@[-^]/g, (part) => (/^\d/.test(part) ? numberKey(part) : '!'))
  return wellFormed(key.slice(0, KEY_LIMIT))
}

/**
 * Returns a key for the order of zones: names in natural order, then reverse zones by network, IPv4
 * before IPv6. At most 255 characters.
 */
export function zoneSortKey(name: string): string {
  if (isWithin(name, 'in-addr.arpa')) return `~4${reversed(name, 'in-addr.arpa', '.')}`
  if (isWithin(name, 'ip6.arpa')) return `~6${reversed(name, 'ip6.arpa', '')}`
  return naturalSortKey(name)
}

function reversed(name: string, apex: string, separator: string): string {
  const labels =
    name === apex
      ? []
      : name
          .slice(0, -apex.length - 1)
          .split('.')
          .reverse()
  return separator === '' ? labels.join('') : naturalSortKey(labels.join(separator))
}

function numberKey(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '').slice(0, MAX_DIGITS)
  const [first, remainingDigits] = [Number(number[0]), number.slice(1)]
  const size = number.length
  if (size === 1) return number
  if (size <= 4) {
    const base = [TEN_TO_99, UP_TO_999, UP_TO_9999][size - 2]
    return String.fromCharCode(base + first - 1) + remainingDigits
  }
  const packed = inBase(BigInt(number), Math.ceil(size * (Math.log(10) / Math.log(BASE))))
  if (size <= MAX_PACKED_DIGITS) return String.fromCharCode(LAST_PACKED_DIGIT + size - 5) + packed
  return String.fromCharCode(LONG_NUMBER_DIGIT) + inBase(BigInt(size), 2) + packed
}

/** Encodes a number in `length` of the 47 characters. */
function inBase(number: bigint, length: number): string {
  let text = ''
  for (let quotient = number; text.length < length; quotient /= BigInt(BASE)) {
    text = String.fromCharCode(FIRST_DIGIT_CODE + Number(quotient % BigInt(BASE))) + text
  }
  return text
}

/** Drops half of a surrogate pair at the end. */
function wellFormed(key: string): string {
  return /[\ud800-\udbff]$/.test(key) ? key.slice(0, -1) : key
}
