import { fault, LimitBroken, type SourcePosition } from '#dns/zonefile/reading/faults'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import { BLANK, closeQuote, tokenEnd } from '#dns/zonefile/reading/scan'

/** A word of an entry, as it is written, quotes and escapes included. */
export interface Token extends Required<SourcePosition> {
  text: string
}

/** A record or directive, over all its lines. */
export interface Entry {
  line: number
  /** Whether it starts with blanks: its owner is that of the record before. */
  indented: boolean
  tokens: Token[]
  /** What stands behind ";" on its lines, untouched. */
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
 * Puts lines together to entries (RFC 1035, 5.1). A quoted string ends on its line; a faulty line spoils
 * its entry, but a parenthesis around it is still looked after.
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

  /** Where the first parenthesis that is still open stands. */
  get openedAt(): Required<SourcePosition> {
    return this.#opened[0]
  }

  /**
   * Reads a line from `from` on. The entry, when it ends here; undefined for a spoilt one.
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
          const allowed = 'a ")" after its "("'
          throw fault({ line, column: at + 1 }, 'syntax', ')', 'closes nothing', allowed)
        }
        at++
      } else {
        const place = { line, column: at + 1 }
        const end = code === 0x22 ? closeQuote(text, at, line) : tokenEnd(text, at, line)
        if (bad >= at && bad < end) {
          const problem = 'has a character that was no UTF-8 (U+FFFD)'
          const allowed = 'text in UTF-8, or bytes as \\DDD'
          throw fault(place, 'syntax', text.slice(at, end), problem, allowed)
        }
        entry.tokens.push({ text: text.slice(at, end), ...place })
        checkWords(entry.tokens, this.limits)
        at = end
      }
    }
  }

  #openAt(place: Required<SourcePosition>): void {
    this.#opened.push(place)
    const { nesting: cap } = this.limits
    if (this.#opened.length <= cap) return
    throw new LimitBroken(place, 'nesting', cap, `more than ${cap} parentheses within each other`)
  }

  /** The open parenthesis would otherwise gather the rest of the file. */
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
