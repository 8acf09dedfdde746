const MAX_LINE_WIDTH = 72
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
export function quoteText(text: string): string {
  const truncated = [...text].slice(0, MAX_CHARACTERS).join('')
  const lines = truncated
    .split(LINE_BREAK)
    .map((line) => line.replace(/\s/gu, ' ').replace(INVISIBLE, '').trimEnd())
    .flatMap(wrapLine)
  const shownLines = lines.slice(0, MAX_LINES)
  const isTruncated = shownLines.length < lines.length || truncated.length < text.length
  return [...shownLines, ...(isTruncated ? ['…'] : [])]
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Wraps a line at blanks, to at most `MAX_LINE_WIDTH` characters. */
function wrapLine(line: string): string[] {
  const parts: string[] = []
  let remaining = [...line]
  while (remaining.length > MAX_LINE_WIDTH) {
    const blank = remaining.lastIndexOf(' ', MAX_LINE_WIDTH)
    const end = blank > 0 ? blank : MAX_LINE_WIDTH
    parts.push(remaining.slice(0, end).join(''))
    remaining = remaining.slice(blank > 0 ? end + 1 : end)
  }
  return [...parts, remaining.join('')]
}
