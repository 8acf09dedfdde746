import { missingRecord } from '#changes/model/action_error'
import { RecordPool } from '#changes/model/record_matcher'
import type { Apex } from '#changes/model/rrset_key'
import type { Violation } from '#dns/rules/violation'
import type { RecordData, RecordId, RRset, RRsetKey } from '#dns/types'

/** A record that was removed from its RRset; `ttl` in seconds. */
export interface RemovedRecord {
  key: RRsetKey
  ttl: number
  record: RecordData
}

/** An RRset while actions change it. */
interface MutableRRset extends RRsetKey {
  ttl: number
  pool: RecordPool
  /** Whether a record was added: then all records get its TTL. */
  hasCommonTtl: boolean
}

/**
 * RRsets while actions are applied. The cost of an action does not depend on the size of an RRset.
 */
export class RRsetState {
  /** Warnings about the interpretation of actions. */
  readonly warnings: Violation[] = []
  readonly #sets = new Map<string, MutableRRset>()
  /** Stored records by id. */
  readonly #records = new Map<string, { set: MutableRRset; record: RecordData }>()

  constructor(private readonly zone: Apex) {}

  /** Adds the existing RRsets, one record per step. */
  *load(before: RRset[]): Generator<undefined, void> {
    for (const { name, type, ttl: seconds, records } of before) {
      for (const record of records) {
        yield
        this.#addToSet({ name, type }, seconds, record)
      }
    }
  }

  add(key: RRsetKey, seconds: number, record: RecordData): void {
    this.#addToSet(key, seconds, record).hasCommonTtl = true
  }

  /** Puts back what `take` removed, without an effect on the other records of the RRset. */
  putBack({ key, ttl: seconds, record }: RemovedRecord): void {
    this.#addToSet(key, seconds, record)
  }

  take(id: RecordId): RemovedRecord {
    const stored = this.#records.get(String(id))
    if (!stored?.set.pool.takeObject(stored.record)) {
      throw missingRecord()
    }
    const { name, type, ttl: seconds } = stored.set
    return { key: { name, type }, ttl: seconds, record: stored.record }
  }

  /** Removes and returns all records of an RRset. */
  takeAll(key: RRsetKey): RecordData[] {
    const records = [...(this.poolOf(key)?.remaining() ?? [])]
    this.#sets.delete(keyOf(key))
    records.forEach(({ id }) => this.#records.delete(String(id)))
    return records
  }

  /** The records of an RRset; undefined if it does not exist. */
  poolOf(key: RRsetKey): RecordPool | undefined {
    return this.#sets.get(keyOf(key))?.pool
  }

  /** Seconds; null if the RRset does not exist. */
  ttlOf(key: RRsetKey): number | null {
    const set = this.#sets.get(keyOf(key))
    return set && set.pool.size > 0 ? set.ttl : null
  }

  rrsets(): RRset[] {
    return [...this.#sets.values()]
      .filter(({ pool }) => pool.size > 0)
      .map(({ name, type, ttl: seconds, pool, hasCommonTtl }) => {
        const remaining = [...pool.remaining()]
        return {
          name,
          type,
          ttl: seconds,
          records: hasCommonTtl ? remaining.map(withoutOwnTtl) : remaining,
        }
      })
  }

  #addToSet(key: RRsetKey, seconds: number, record: RecordData): MutableRRset {
    const id = keyOf(key)
    const pool = () => new RecordPool(this.zone, key, [])
    const set = this.#sets.get(id) ?? { ...key, ttl: seconds, pool: pool(), hasCommonTtl: false }
    set.ttl = seconds
    set.pool.add(record)
    this.#sets.set(id, set)
    if (record.id !== undefined) {
      this.#records.set(String(record.id), { set, record })
    }
    return set
  }
}

function withoutOwnTtl(record: RecordData): RecordData {
  if (record.ownTtl === undefined) {
    return record
  }
  const { id, content, priority, disabled, auth } = record
  return { id, content, priority, disabled, auth }
}

function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
