const WIDTH = 72
const MAX_LINES = 10
const MAX_CHARACTERS = 600

/** Characters that begin a new line (Unicode, UAX 14). */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
/** Control characters, and those that change the text direction. */
const INVISIBLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Quotes the text of a user for a mail: each line begins with "> ", so that no line looks like text
 * of the mail. Long lines are wrapped, long texts truncated with an ellipsis.
 */
export function quoted(text: string): string {
  const cut = [...text].slice(0, MAX_CHARACTERS).join('')
  const lines = cut
    .split(LINE_BREAK)
    .map((line) => line.replace(/\s/gu, ' ').replace(INVISIBLE, '').trimEnd())
    .flatMap(broken)
  const shown = lines.slice(0, MAX_LINES)
  const isCut = shown.length < lines.length || cut.length < text.length
  return [...shown, ...(isCut ? ['…'] : [])].map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** Wraps a line at blanks, to at most `WIDTH` characters. */
function broken(line: string): string[] {
  const parts: string[] = []
  let rest = [...line]
  while (rest.length > WIDTH) {
    const blank = rest.lastIndexOf(' ', WIDTH)
    const end = blank > 0 ? blank : WIDTH
    parts.push(rest.slice(0, end).join(''))
    rest = rest.slice(blank > 0 ? end + 1 : end)
  }
  return [...parts, rest.join('')]
}
