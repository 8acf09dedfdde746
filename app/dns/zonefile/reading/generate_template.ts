import { fault } from '#dns/zonefile/reading/faults'
import type { Token } from '#dns/zonefile/reading/lexer'

type Base = 'd' | 'o' | 'x' | 'X' | 'n' | 'N'

interface Counter {
  offset: number
  width: number
  base: Base
}

/** A word of a `$GENERATE`, split at the positions of the counter. */
export interface Template {
  token: Token
  parts: (string | Counter)[]
}

/** Maximum literals and counters per word: a name has 127 labels. */
const MAX_PARTS = 2_000
const TOO_MANY = 'has too many counters'
const COUNTERS = `at most ${MAX_PARTS / 2} counters in a word`
const WIDTH_LIMIT = 255
/** Characters of the largest counter without a width: eight hexadecimal digits with dots between them. */
const MAX_DIGITS = 15
const OFFSET_LIMIT = 2 ** 31
const FORM =
  '"$" or "${offset[,width[,base]]}", with base d, o, x, X, n or N; "\\$" for a dollar sign'

/**
 * Parses a word of a `$GENERATE`. `$` is the counter; `${offset,width,base}` is the counter with an offset, padded, in another
 * base. `\$` and `$$` are a dollar.
 *
 * @throws FileFault
 */
export function readTemplate(token: Token): Template {
  const { text } = token
  const parts: Template['parts'] = []
  let literal = ''
  for (let position = 0; position < text.length; position++) {
    const next = text[position + 1]
    if (text[position] === '\\' && next !== undefined) {
      literal += next === '$' ? '$' : text.slice(position, position + 2)
      position++
    } else if (text[position] !== '$') {
      literal += text[position]
    } else if (next === '$') {
      literal += '$'
      position++
    } else {
      if (parts.length > MAX_PARTS) throw fault(token, 'directive', text, TOO_MANY, COUNTERS)
      parts.push(literal)
      literal = ''
      const end = next === '{' ? text.indexOf('}', position) : position
      parts.push(
        end === position ? PLAIN_COUNTER : readCounter(token, text.slice(position + 2, end), end)
      )
      position = end
    }
  }
  return { token, parts: [...parts, literal].filter((part) => part !== '') }
}

/** Returns an upper limit for the length of the word with any counter. */
export function longestText({ parts }: Template): number {
  return parts.reduce((sum, part) => {
    return sum + (typeof part === 'string' ? part.length : Math.max(part.width, MAX_DIGITS))
  }, 0)
}

/**
 * Returns the word for one value of the counter.
 *
 * @throws FileFault if the counter with its offset is not within 0..2147483647
 */
export function fillTemplate({ token, parts }: Template, value: number): Token {
  const text = parts.map((part) => (typeof part === 'string' ? part : print(part, value, token)))
  return { ...token, text: text.join('') }
}

const PLAIN_COUNTER: Counter = { offset: 0, width: 0, base: 'd' }

function readCounter(token: Token, inside: string, end: number): Counter {
  const [offset, width = '0', base = 'd', ...more] = inside.split(',')
  const sound =
    end >= 0 &&
    more.length === 0 &&
    /^[+-]?\d{1,10}$/.test(offset) &&
    Math.abs(Number(offset)) < OFFSET_LIMIT &&
    /^\d{1,3}$/.test(width) &&
    Number(width) <= WIDTH_LIMIT &&
    /^[doxXnN]$/.test(base)
  if (sound) return { offset: Number(offset), width: Number(width), base: base as Base }
  throw fault(token, 'directive', token.text, 'has an invalid counter', FORM)
}

function print({ offset, width, base }: Counter, counter: number, token: Token): string {
  const value = counter + offset
  if (value < 0) {
    const problem = `has an offset that results in a number below 0 if "$" is ${counter}`
    throw fault(token, 'directive', token.text, problem, 'a counter of at least 0')
  }
  if (value >= OFFSET_LIMIT) {
    const problem = `has an offset that results in a number above ${OFFSET_LIMIT - 1} if "$" is ${counter}`
    throw fault(token, 'directive', token.text, problem, `a counter of at most ${OFFSET_LIMIT - 1}`)
  }
  if (base === 'n' || base === 'N') return nibbles(value, width, base === 'N')
  const radix = base === 'd' ? 10 : base === 'o' ? 8 : 16
  const digits = value.toString(radix).padStart(width, '0')
  return base === 'X' ? digits.toUpperCase() : digits
}

/** Prints hexadecimal digits, lowest first, separated by dots. As in BIND, the width includes the dots. */
function nibbles(value: number, width: number, upper: boolean): string {
  const digits = Array.from(value.toString(16)).reverse()
  const length = Math.max(2 * digits.length - 1, width)
  while (2 * digits.length - 1 < length) digits.push('0')
  const text = digits.join('.').slice(0, length)
  return upper ? text.toUpperCase() : text
}
