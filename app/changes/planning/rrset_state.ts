import { missingRecord } from '#changes/model/action_error'
import { RecordPool } from '#changes/model/record_matcher'
import type { Apex } from '#changes/model/rrset_key'
import type { Violation } from '#dns/rules/violation'
import type { RecordData, RecordId, RRset, RRsetKey } from '#dns/types'

/** A record that was removed from its RRset; `ttl` in seconds. */
export interface StoredInSet {
  key: RRsetKey
  ttl: number
  record: RecordData
}

/** An RRset while actions change it. */
interface OpenSet extends RRsetKey {
  ttl: number
  pool: RecordPool
  /** Whether a record was added: then all records get its TTL. */
  isEven: boolean
}

/**
 * RRsets while actions are applied. The cost of an action does not depend on the size of an RRset.
 */
export class RRsetState {
  /** Warnings about the interpretation of actions. */
  readonly warnings: Violation[] = []
  readonly #sets = new Map<string, OpenSet>()
  /** Stored records by id. */
  readonly #records = new Map<string, { set: OpenSet; record: RecordData }>()

  constructor(private readonly zone: Apex) {}

  /** Adds the existing RRsets, one record per step. */
  *load(before: RRset[]): Generator<undefined, void> {
    for (const { name, type, ttl: seconds, records } of before) {
      for (const record of records) {
        yield
        this.#put({ name, type }, seconds, record)
      }
    }
  }

  add(key: RRsetKey, seconds: number, record: RecordData): void {
    this.#put(key, seconds, record).isEven = true
  }

  /** Puts back what `take` removed, without an effect on the other records of the RRset. */
  putBack({ key, ttl: seconds, record }: StoredInSet): void {
    this.#put(key, seconds, record)
  }

  take(id: RecordId): StoredInSet {
    const stored = this.#records.get(String(id))
    if (!stored?.set.pool.takeThis(stored.record)) {
      throw missingRecord()
    }
    const { name, type, ttl: seconds } = stored.set
    return { key: { name, type }, ttl: seconds, record: stored.record }
  }

  /** Removes and returns all records of an RRset. */
  takeAll(key: RRsetKey): RecordData[] {
    const records = [...(this.poolOf(key)?.left() ?? [])]
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
      .map(({ name, type, ttl: seconds, pool, isEven }) => {
        const left = [...pool.left()]
        return { name, type, ttl: seconds, records: isEven ? left.map(withoutOwnTtl) : left }
      })
  }

  #put(key: RRsetKey, seconds: number, record: RecordData): OpenSet {
    const id = keyOf(key)
    const pool = () => new RecordPool(this.zone, key, [])
    const set = this.#sets.get(id) ?? { ...key, ttl: seconds, pool: pool(), isEven: false }
    set.ttl = seconds
    set.pool.put(record)
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
