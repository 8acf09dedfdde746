import { fault } from '#dns/zonefile/reading/faults'

const CONTROL = 'characters other than control characters, which are written as \\DDD'
/** 1 for characters that end a bare word: spaces, tabs, ";", "(" and ")". */
const ENDS = Uint8Array.from({ length: 128 }, (_, code) => (' \t;()'.includes(chr(code)) ? 1 : 0))

/** 1 for spaces and tabs. */
export const BLANK = Uint8Array.from({ length: 128 }, (_, code) =>
  ' \t'.includes(chr(code)) ? 1 : 0
)

/**
 * Returns the index after the closing quote of the string that starts at `at`.
 *
 * @throws FileFault if the string does not end on this line
 */
export function closeQuote(text: string, at: number, line: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next)
    if (code === 0x22) return next + 1
    if (code === 0x5c) next++
    else if (code < 0x20 && code !== 0x09) throw controlAt(text, next, line)
  }
  const allowed = 'a closing quote on the same line, and \\" for a quote in the text'
  const position = { line, column: at + 1 }
  throw fault(position, 'syntax', text.slice(at), 'has a quote that is not closed', allowed)
}

/**
 * Returns the index after the bare word that starts at `at`. Quotes inside belong to the word, as in `alpn="h2,h3"`.
 *
 * @throws FileFault
 */
export function tokenEnd(text: string, position: number, line: number): number {
  let next = position
  while (next < text.length) {
    const code = text.charCodeAt(next)
    if (ENDS[code] === 1) return next
    if (code === 0x22) {
      next = closeQuote(text, next, line)
    } else if (code === 0x5c) {
      next += 2
      if (next > text.length) {
        const allowed = '\\DDD for a byte, or \\X for the character X'
        throw fault(
          { line, column: next - 1 },
          'syntax',
          '\\',
          'is the last character of the line',
          allowed
        )
      }
    } else {
      if (code < 0x20) throw controlAt(text, next, line)
      next++
    }
  }
  return next
}

/**
 * Splits a content into words; spaces in quotes belong to a word.
 *
 * @throws FileFault for a word that a line of a zone file cannot contain
 */
export function wordsOf(content: string): string[] {
  const words: string[] = []
  let position = 0
  while (position < content.length) {
    if (content[position] === ' ') {
      position++
      continue
    }
    const end =
      content[position] === '"' ? closeQuote(content, position, 1) : tokenEnd(content, position, 1)
    if (end === position) {
      const allowed = 'a word without ";", "(", ")" and tabs outside quotes'
      throw fault(
        { line: 1, column: position + 1 },
        'content',
        content,
        'has text that does not belong to the content',
        allowed
      )
    }
    words.push(content.slice(position, end))
    position = end
  }
  return words
}

/** Replaces tabs in quotes by `\009`, the form of contents. */
export function withoutTabs(word: string): string {
  if (!word.includes('\t')) return word
  if (!word.includes('\\')) return word.replaceAll('\t', '\\009')
  return word.replace(/\\[^]|\t/g, (part) => (part.endsWith('\t') ? '\\009' : part))
}

function controlAt(text: string, position: number, line: number) {
  return fault(
    { line, column: position + 1 },
    'syntax',
    text[position],
    'is a control character',
    CONTROL
  )
}

function chr(code: number): string {
  return String.fromCharCode(code)
}
