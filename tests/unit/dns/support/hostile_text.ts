import fc from 'fast-check'

/** Hostile input for names, contents and files: characters with a meaning in any of them, and foreign text. */

const QUOTING = ['"', '\\', '(', ')', ';', '\\"', '\\\\', '\\032', '\\000', '\\#', '\\;']
const BLANKS = [' ', '\t', '\n', '\r', '\u00a0', '\u2028']
const CONTROLS = ['\u0000', '\u001f', '\u007f', '\u0085', '\ufeff', '\u202e']
const OF_NAMES = ['.', '-', '_', '*', '@', '/', '$', '。', '%', '=', ',', '0', '9', 'a', 'Z']
const FOREIGN = ['ä', '日本', '🦊', 'ß', 'é\u0301', '\ud800', '\ufffd']
const OF_FILES = ['IN', 'TXT', 'MX', 'A', '300', '1h', '192.0.2.1', '$TTL', '$ORIGIN', '$GENERATE']
const MARKS = ['1-3', ';joined', ';invalid ', 'TYPE65280', 'CLASS1', '[AGE:1]', 'a 300 IN A ']
const DISABLED = [';disabled ', '\n;disabled a 300 IN ', '\n;disabled ', ' 300 IN A ']

/** Text of any length up to some dozens of characters. */
export const hostileText = fc
  .array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc.constantFrom(...QUOTING, ...BLANKS, ...CONTROLS, ...OF_NAMES, ...FOREIGN),
      },
      { weight: 2, arbitrary: fc.constantFrom(...OF_FILES, ...MARKS, ...DISABLED) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }
    )
  )
  .map((parts) => parts.join(''))

/** Any bytes, up to `most`. Long values repeat short ones, which is cheap to generate. */
export function hostileBytes(maximum = 255): fc.Arbitrary<Uint8Array> {
  const short = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    hostileText.map((text) => new TextEncoder().encode(text))
  )
  const long = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.nat(maximum))
    .map(([bytes, length]) => Uint8Array.from({ length }, (_, at) => bytes[at % bytes.length]))
  return fc
    .oneof({ weight: 3, arbitrary: short }, { weight: 1, arbitrary: long })
    .map((bytes) => bytes.subarray(0, maximum))
}

/** `given` with hostile text inside, which replaces up to two characters. */
export function near(given: string): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(given.length), fc.nat(2), hostileText).map(([at, cut, text]) => {
    return given.slice(0, at) + text + given.slice(at + cut)
  })
}

/** A canonical label of a name. */
export const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,12}[a-z0-9_])?$/)

/** A canonical name of up to six labels. */
export const name = fc
  .array(label, { minLength: 1, maxLength: 6 })
  .map((labels) => labels.join('.'))
