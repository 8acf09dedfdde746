import api from '#config/api'
import { runYielding } from '#database/event_loop'
import { invalid } from '#exceptions/refusal'

/** Characters of a body that are checked between two pauses. */
const PIECE_CHARACTERS = 65_536
/** Maximum members of an object, above those of any API object; different names take the longest time to parse. */
const MAX_MEMBERS = 1_000
const BRACE = '{'.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const OPENING_CODES = new Set(['{', '['].map((sign) => sign.charCodeAt(0)))
const CLOSING_CODES = new Set(['}', ']'].map((sign) => sign.charCodeAt(0)))

/**
 * Parses a JSON body. Its nesting and its number of values are bounded first, because `JSON.parse` cannot pause: ten million
 * characters take 10 ms as one text, and half a second as empty objects. Throws a 400 `Refusal` above `api.max_body_depth`
 * or `api.max_body_values`, and a `SyntaxError` for text that is no JSON.
 */
export async function parseJsonBody(text: string): Promise<unknown> {
  await runYielding(jsonSizeSteps(text, api.max_body_depth, api.max_body_values))
  return JSON.parse(text)
}

/** Checks the size of JSON text without parsing it, in steps of bounded length: counts outside of strings. */
export function* jsonSizeSteps(
  text: string,
  maxDepth: number,
  maxValues: number
): Generator<undefined, void> {
  /** Members so far of each open object; NaN for lists, which hold any number. */
  const members: number[] = []
  let values = 0
  let pauseAt = PIECE_CHARACTERS
  for (let position = 0; position < text.length; position++) {
    if (position >= pauseAt) {
      pauseAt = position + PIECE_CHARACTERS
      yield
    }
    const code = text.charCodeAt(position)
    if (code === QUOTE) position = endOfString(text, position)
    else if (CLOSING_CODES.has(code)) members.pop()
    else if (code === COMMA || OPENING_CODES.has(code)) {
      values++
      if (OPENING_CODES.has(code)) members.push(code === BRACE ? 1 : Number.NaN)
      else members[members.length - 1]++
      if (members.length > maxDepth) {
        throw invalid(`Request body is nested deeper than ${maxDepth} levels`)
      }
      if (members[members.length - 1] > MAX_MEMBERS) {
        throw invalid(
          `Request body has an object of more than ${MAX_MEMBERS} members; allowed: at most ${MAX_MEMBERS}`
        )
      }
      if (values > maxValues) {
        throw invalid(
          `Request body has more than ${maxValues} values (setting api.max_body_values); allowed: at most ${maxValues}. Send it in parts`
        )
      }
    }
  }
}

/** Returns the index of the closing quote of the string at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
    from = quote + 1
  }
}
