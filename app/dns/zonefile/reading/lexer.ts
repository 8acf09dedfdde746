import { fault, LimitBroken, type SourcePosition } from '#dns/zonefile/reading/faults'
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
  throw new LimitBroken(words[cap], 'words', cap, `a record of more than ${cap} words`)
}

/**
 * Joins lines to entries (RFC 1035, 5.1). A quoted string ends on its line. A line with a fault discards its entry; its
 * closing parenthesis still counts.
 */
export class Lexer {
  #entry?: Entry
  #opened: Required<SourcePosition>[] = []
  #length = 0
  #spoilt = false

  constructor(private readonly limits: ZoneFileLimits) {}

  /** Whether a parenthesis is open. */
  get open(): boolean {
    return this.#opened.length > 0
  }

  /** Position of the first open parenthesis. */
  get openedAt(): Required<SourcePosition> {
    return this.#opened[0]
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
      this.#spoilt = true
      if (text.trimEnd().endsWith(')')) this.#opened.pop()
      if (!this.open) this.#take()
      throw error
    }
    return this.open ? undefined : this.#take()
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
        this.#openAt({ line, column: ++at })
      } else if (code === 0x29) {
        if (!this.#opened.pop()) {
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

  #openAt(position: Required<SourcePosition>): void {
    this.#opened.push(position)
    const { nesting: cap } = this.limits
    if (this.#opened.length <= cap) return
    throw new LimitBroken(position, 'nesting', cap, `more than ${cap} nested parentheses`)
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
    throw new LimitBroken({ line }, 'lineLength', cap, what)
  }

  #take(): Entry | undefined {
    const entry = this.#spoilt ? undefined : this.#entry
    this.#entry = undefined
    this.#length = 0
    this.#spoilt = false
    return entry
  }
}
