import { fault, LimitExceeded, type SourcePosition } from '#dns/zonefile/reading/faults'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import { BLANK, closeQuote, tokenEnd } from '#dns/zonefile/reading/scan'

/** A word of an entry as written, with quotes and escapes. */
export interface Token extends Required<SourcePosition> {
  text: string
}

/** A record or directive with all its lines. */
export interface Entry {
  line: number
  /** Whether the line starts with a space or tab: the owner is that of the record before. */
  indented: boolean
  tokens: Token[]
  /** The unchanged texts after ";" on its lines. */
  comments: string[]
}

/**
 * Checks the number of words of a record, before they are parsed.
 *
 * @throws LimitBroken
 */
export function checkWords(words: readonly SourcePosition[], { words: cap }: ZoneFileLimits): void {
  if (words.length <= cap) return
  throw new LimitExceeded(words[cap], 'words', cap, `a record of more than ${cap} words`)
}

/**
 * Joins lines to entries (RFC 1035, 5.1). A quoted string ends on its line. A line with a fault discards its entry; its
 * closing parenthesis still counts.
 */
export class Lexer {
  #entry?: Entry
  #openParentheses: Required<SourcePosition>[] = []
  #length = 0
  #isInvalid = false

  constructor(private readonly limits: ZoneFileLimits) {}

  /** Whether a parenthesis is open. */
  get open(): boolean {
    return this.#openParentheses.length > 0
  }

  /** Position of the first open parenthesis. */
  get openedAt(): Required<SourcePosition> {
    return this.#openParentheses[0]
  }

  /**
   * Reads a line from index `from`. Returns the entry if it ends on this line; undefined for an open or discarded entry.
   *
   * @throws FileFault
   */
  feed(text: string, line: number, from = 0): Entry | undefined {
    const first = text.charCodeAt(from)
    this.#entry ??= { line, indented: BLANK[first] === 1, tokens: [], comments: [] }
    this.#count(text, line)
    try {
      this.#scan(this.#entry, text, line, from)
    } catch (error) {
      this.#isInvalid = true
      if (text.trimEnd().endsWith(')')) this.#openParentheses.pop()
      if (!this.open) this.#takeEntry()
      throw error
    }
    return this.open ? undefined : this.#takeEntry()
  }

  #scan(entry: Entry, text: string, line: number, from: number): void {
    const bad = text.indexOf('\ufffd')
    let at = from
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === 0x20 || code === 0x09) {
        at++
      } else if (code === 0x3b) {
        entry.comments.push(text.slice(at + 1))
        return
      } else if (code === 0x28) {
        this.#openParenthesis({ line, column: ++at })
      } else if (code === 0x29) {
        if (!this.#openParentheses.pop()) {
          const allowed = 'a ")" after a matching "("'
          throw fault({ line, column: at + 1 }, 'syntax', ')', 'has no matching "("', allowed)
        }
        at++
      } else {
        const position = { line, column: at + 1 }
        const end = code === 0x22 ? closeQuote(text, at, line) : tokenEnd(text, at, line)
        if (bad >= at && bad < end) {
          const problem = 'has a character that was not valid UTF-8 (U+FFFD)'
          const allowed = 'text in UTF-8, or bytes as \\DDD'
          throw fault(position, 'syntax', text.slice(at, end), problem, allowed)
        }
        entry.tokens.push({ text: text.slice(at, end), ...position })
        checkWords(entry.tokens, this.limits)
        at = end
      }
    }
  }

  #openParenthesis(position: Required<SourcePosition>): void {
    this.#openParentheses.push(position)
    const { nesting: cap } = this.limits
    if (this.#openParentheses.length <= cap) return
    throw new LimitExceeded(position, 'nesting', cap, `more than ${cap} nested parentheses`)
  }

  /**
   * Limits the length of a record: after an unclosed parenthesis, it would contain the rest of the
   * file.
   */
  #count(text: string, line: number): void {
    this.#length += text.length
    const { lineLength: cap } = this.limits
    if (this.#length <= cap) return
    const { line: since } = this.openedAt
    const what = `a record of more than ${cap} characters, after the "(" of line ${since}`
    throw new LimitExceeded({ line }, 'lineLength', cap, what)
  }

  #takeEntry(): Entry | undefined {
    const entry = this.#isInvalid ? undefined : this.#entry
    this.#entry = undefined
    this.#length = 0
    this.#isInvalid = false
    return entry
  }
}
