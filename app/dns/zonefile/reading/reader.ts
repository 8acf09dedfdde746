import { CommentBlock } from '#dns/zonefile/reading/block'
import { isDirective, applyDirective } from '#dns/zonefile/reading/directives'
import { fault, LimitExceeded, problemAt } from '#dns/zonefile/reading/faults'
import { readGenerate } from '#dns/zonefile/reading/generate'
import { Lexer, type Entry } from '#dns/zonefile/reading/lexer'
import { DEFAULT_LIMITS, type ZoneFileLimits } from '#dns/zonefile/reading/limits'
import { LineSplitter } from '#dns/zonefile/reading/line_splitter'
import {
  BLOCK_LIMIT,
  DISABLED,
  INVALID,
  isDisabledRecord,
  isBrokenTransfer,
} from '#dns/zonefile/comments'
import { ProblemList } from '#dns/zonefile/reading/problem_list'
import { OutsideZone, RecordReader } from '#dns/zonefile/reading/record_reader'
import { BLANK } from '#dns/zonefile/reading/scan'
import { SoaGuard } from '#dns/zonefile/soa_guard'
import type { ZoneFileItem, ZoneFileOptions, ZoneFileRecord } from '#dns/zonefile/types'

const FIRST = /[^ \t]/

/**
 * Reads a zone file in chunks and buffers one record. Use one reader per file: push all chunks, then call `end`. index.ts
 * describes the accepted format.
 */
export class ZoneFileReader {
  /** Whether a limit was exceeded. The reader then skips the remaining lines. */
  ended = false
  readonly #limits: ZoneFileLimits
  readonly #lines: LineSplitter
  readonly #lexer: Lexer
  readonly #records: RecordReader
  readonly #problems: ProblemList
  readonly #block = new CommentBlock()
  readonly #soa: SoaGuard
  readonly #apex: string
  readonly #isTransfer: boolean
  readonly #outside: ZoneFileOptions['outside']
  /** Whether the file is of another zone and no record of this zone was read; that is reported once. */
  #isOtherZone = false
  #count = 0
  #generatedCount = 0

  constructor({ origin, limits, outside, isTransfer = false }: ZoneFileOptions) {
    this.#isTransfer = isTransfer
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#lines = new LineSplitter(this.#limits)
    this.#lexer = new Lexer(this.#limits)
    this.#apex = origin
    this.#outside = outside
    this.#problems = new ProblemList(this.#limits.problems, outside, origin)
    this.#soa = new SoaGuard()
    this.#records = new RecordReader(
      origin,
      ({ text, ...place }, within) => {
        const message = `Field 'name': ${JSON.stringify(text)} is read as ${text}.${within}; is a final dot missing?`
        this.#problems.add(problemAt(place, 'name', message, 'warning'))
      },
      (place, owner, message) => {
        this.#problems.add({ ...problemAt(place, 'name', message), owner })
      }
    )
  }

  /** Yields the items that end in this chunk; chunks may be split anywhere. */
  push(chunk: string): Generator<ZoneFileItem> {
    return this.#withFaults(this.#lines.push(chunk))
  }

  /** Yields the remaining items at the end of the file. */
  *end(): Generator<ZoneFileItem> {
    yield* this.#withFaults(this.#lines.end())
    if (!this.ended && this.#lexer.open) {
      const allowed = 'a matching ")" before the end of the file'
      this.#problems.addFault(fault(this.#lexer.openedAt, 'syntax', '(', 'is not closed', allowed))
    }
    yield* this.#problems.take()
    yield* this.#problems.rest(this.#lines.line)
  }

  *#withFaults(lines: Generator<string>): Generator<ZoneFileItem> {
    if (this.ended) return
    try {
      for (const text of lines) {
        const item = this.#line(text, this.#lines.line)
        if (item && 'kind' in item) yield item
        else if (item) yield* item
        if (this.#problems.waiting) yield* this.#problems.take()
      }
    } catch (error) {
      this.#problems.addFault(error)
      this.ended = true
    }
    yield* this.#problems.take()
  }

  /** Returns one record, or a generator of the records of a `$GENERATE`. */
  #line(text: string, line: number): ZoneFileRecord | Generator<ZoneFileItem> | undefined {
    try {
      const first = this.#lexer.open ? 0 : text.search(FIRST)
      if (first < 0) this.#block.take()
      else if (text[first] === ';' && !this.#lexer.open) return this.#comment(text, first + 1, line)
      else return this.#entry(this.#feed(text, line), line)
    } catch (error) {
      this.#refuse(error)
    }
    return undefined
  }

  #feed(text: string, line: number): Entry | undefined {
    const known = this.#lexer.open || BLANK[text.charCodeAt(0)] === 1
    try {
      return this.#lexer.feed(text, line)
    } catch (error) {
      if (!known) this.#records.forgetOwner()
      throw error
    }
  }

  #entry(entry: Entry | undefined, line: number) {
    if (!entry || entry.tokens.length === 0) return undefined
    const above = this.#commentsAbove(line)
    if (!isDirective(entry)) return this.#checkRecord(this.#records.read(entry, above))
    return applyDirective(entry, this.#records) ? undefined : this.#generate(entry)
  }

  /** Stops at the first fault, because the other values would repeat it. */
  *#generate(directive: Entry): Generator<ZoneFileItem> {
    try {
      const { count, entries } = readGenerate(directive, this.#limits)
      this.#countGenerated(directive, count)
      for (const entry of entries) {
        this.#lines.grow(entry.tokens.reduce((sum, { text }) => sum + text.length, 0))
        const record = this.#checkRecord(this.#records.read(entry))
        if (record) yield record
        if (this.#problems.waiting) yield* this.#problems.take()
      }
    } catch (error) {
      this.#refuse(error)
    }
  }

  #countGenerated(directive: Entry, count: number): void {
    const { generate: cap } = this.#limits
    this.#generatedCount += count
    if (this.#generatedCount <= cap) return
    const what = `$GENERATE lines create more than ${cap} records`
    throw new LimitExceeded({ line: directive.line }, 'generate', cap, what)
  }

  #comment(text: string, start: number, line: number): ZoneFileRecord | undefined {
    const comment = text.slice(start)
    if (this.#isTransfer && !isBrokenTransfer(comment)) return undefined
    if (isDisabledRecord(comment)) return this.#disabled(text, start + DISABLED.length, line)
    if (isBrokenTransfer(comment)) {
      const allowed = 'a complete transfer: this file has only a part of the zone'
      throw fault(
        { line, column: start },
        'transfer',
        comment.trim(),
        'reports that the transfer was interrupted',
        allowed
      )
    }
    if (comment.startsWith(INVALID)) {
      const allowed = 'a record that could be exported; the record is skipped'
      const { message } = fault({ line }, 'content', comment, 'was not exported', allowed)
      const stored = comment.slice(INVALID.length)
      this.#problems.add({ ...problemAt({ line }, 'content', message, 'warning'), stored })
    } else {
      this.#block.add(comment, line)
    }
    return undefined
  }

  #disabled(text: string, start: number, line: number): ZoneFileRecord | undefined {
    const from = start + text.slice(start).search(FIRST)
    const lexer = new Lexer(this.#limits)
    const entry = lexer.feed(text, line, from)
    if (entry)
      return this.#checkRecord(this.#records.readDisabled(entry, this.#commentsAbove(line)))
    const allowed = 'a ")" on the same line, because a disabled record has one line'
    throw fault(lexer.openedAt, 'syntax', '(', 'is not closed', allowed)
  }

  #commentsAbove(line: number): string[] {
    const since = this.#block.tooLongSince
    if (since !== undefined) {
      const message = `more than ${BLOCK_LIMIT} comment lines are above line ${line}; they belong to no record and are skipped`
      this.#problems.add(problemAt({ line: since }, 'comment', message, 'warning'))
    }
    return this.#block.take()
  }

  #checkRecord(record: ZoneFileRecord | undefined): ZoneFileRecord | undefined {
    if (!record || this.#soa.isRepeated(record)) return undefined
    const { records: cap } = this.#limits
    if (++this.#count <= cap) return record
    throw new LimitExceeded({ line: record.line }, 'records', cap, `more than ${cap} records`)
  }

  /**
   * Adds a fault as a problem; an exceeded limit ends the reading. A file of another zone causes one problem, not one per
   * record.
   */
  #refuse(error: unknown): void {
    if (error instanceof LimitExceeded) throw error
    this.#block.take()
    const isOfOther = error instanceof OutsideZone && this.#count === 0 && this.#outside !== 'skip'
    if (isOfOther && this.#isOtherZone) return
    if (isOfOther && error.zone !== undefined) {
      this.#isOtherZone = true
      const message = `Field 'name': the file belongs to the zone ${error.zone}; its names are outside the zone ${this.#apex}`
      this.#problems.add(problemAt(error.position, 'name', message))
    } else {
      this.#problems.addFault(error)
    }
  }
}
