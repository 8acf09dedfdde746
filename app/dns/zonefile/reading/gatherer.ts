import { problemAt } from '#dns/zonefile/reading/faults'
import { DEFAULT_LIMITS } from '#dns/zonefile/reading/limits'
import { finished, sortSteps } from '#dns/steps'
import { recordOrderSteps, zoneOrderSteps } from '#dns/zonefile/order'
import type {
  RecordComment,
  ZoneFileContents,
  ZoneFileItem,
  ZoneFileRecord,
} from '#dns/zonefile/types'
import type { RecordData, CommentText, RRset } from '#dns/types'

interface CollectedRRset {
  rrset: RRset
  first: ZoneFileRecord
  /** Records by identity; set from the second record on. */
  recordsByIdentity?: Map<string, ZoneFileRecord>
  /** Whether a warning about different TTLs was added. */
  warned?: boolean
}

/** Groups the records of a zone file into RRsets. */
export class RRsetCollector {
  readonly #records: ZoneFileRecord[] = []
  readonly #problems: ZoneFileContents['problems'] = []
  readonly #rrsets = new Map<string, CollectedRRset>()
  readonly #commentTexts = new Map<RecordData, CommentText>()

  #warnings = 0

  /** @param cap maximum number of warnings of this class; further ones are only counted */
  constructor(
    private readonly apex: string,
    private readonly cap = DEFAULT_LIMITS.problems
  ) {}

  add(item: ZoneFileItem): void {
    if (item.kind === 'problem') {
      this.#problems.push(item)
      return
    }
    this.#records.push(item)
    const { name, type, ttl, record } = item
    const key = `${name} ${type}`
    const collected = this.#rrsets.get(key)
    const stored = collected ? this.#join(collected, item) : record
    if (!collected) {
      this.#rrsets.set(key, { rrset: { name, type, ttl, records: [record] }, first: item })
    }
    if (item.comment && !this.#commentTexts.has(stored))
      this.#commentTexts.set(stored, item.comment)
  }

  /** Returns the contents; can be called once. */
  result(): ZoneFileContents {
    return finished(this.steps())
  }

  /** As `result`, in steps of one RRset. */
  *steps(): Generator<undefined, ZoneFileContents> {
    const sets: RRset[] = []
    for (const { rrset } of this.#rrsets.values()) {
      if (rrset.records.length > 1) rrset.records = yield* recordOrderSteps(rrset.records)
      sets.push(rrset)
      yield
    }
    this.#rrsets.clear()
    const rrsets = yield* zoneOrderSteps(sets, this.apex)
    const comments = yield* this.#commentsOn(rrsets)
    const problems = yield* sortSteps(this.#allProblems(), (a, b) => a.line - b.line)
    return { records: this.#records, rrsets, problems, comments }
  }

  /** Adds a record to its RRset. Returns it, or the first of two equal records. */
  #join(collected: CollectedRRset, item: ZoneFileRecord): RecordData {
    const { rrset, first } = collected
    collected.recordsByIdentity ??= new Map([[identity(first.record), first]])
    this.#joinTtl(collected, item)
    const same = collected.recordsByIdentity.get(identity(item.record))
    if (same) {
      const { type, content } = { ...item, ...item.record }
      const message = `repeats the ${type} record ${JSON.stringify(content)} of line ${same.line}; only one is used (RFC 2181, 5)`
      this.#warn(item, 'content', message)
      return same.record
    }
    collected.recordsByIdentity.set(identity(item.record), item)
    rrset.records.push(item.record)
    return item.record
  }

  #joinTtl(collected: CollectedRRset, item: ZoneFileRecord): void {
    const { rrset, first, warned } = collected
    const { name, type, ttl } = item
    if (ttl === rrset.ttl) return
    rrset.ttl = Math.min(rrset.ttl, ttl)
    if (warned) return
    collected.warned = true
    const message = `Field 'ttl': ${name} ${type} has TTL ${first.ttl} on line ${first.line} and ${ttl} here; the lowest is used (RFC 2181, 5.2)`
    this.#warn(item, 'ttl', message)
  }

  #warn({ line }: ZoneFileRecord, field: string, message: string): void {
    if (++this.#warnings > this.cap) return
    this.#problems.push(problemAt({ line }, field, message, 'warning'))
  }

  #allProblems(): ZoneFileContents['problems'] {
    const more = this.#warnings - this.cap
    const line = this.#records.at(-1)?.line ?? 1
    const message = `${more} more warnings about records; the limit 'problems' is ${this.cap}`
    const rest = more > 0 ? [problemAt({ line }, 'limit', message, 'warning')] : []
    return [...this.#problems, ...rest]
  }

  *#commentsOn(rrsets: RRset[]): Generator<undefined, RecordComment[]> {
    const comments: RecordComment[] = []
    if (this.#commentTexts.size === 0) return comments
    for (const { name, type, records } of rrsets) {
      for (const record of records) {
        const comment = this.#commentTexts.get(record)
        const { content, priority, disabled } = record
        if (comment) comments.push({ name, type, content, priority, disabled, ...comment })
        yield
      }
    }
    return comments
  }
}

/** Identifies a record within its RRset, enabled and disabled separately. */
export function identity({ content, priority, disabled }: Omit<RecordData, 'id' | 'auth'>): string {
  return `${priority} ${disabled ? 'disabled' : 'enabled'} ${content}`
}
