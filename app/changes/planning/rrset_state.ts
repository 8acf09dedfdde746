import { missingRecord } from '#changes/model/action_error'
import { RecordPool } from '#changes/model/record_matcher'
import type { Apex } from '#changes/model/rrset_key'
import type { Violation } from '#dns/rules/violation'
import type { RecordData, RecordId, RRset, RRsetKey } from '#dns/types'

/** A record that was taken out of its set; `ttl` in seconds. */
export interface StoredInSet {
  key: RRsetKey
  ttl: number
  record: RecordData
}

/** An RRset whose records come and go. */
interface OpenSet extends RRsetKey {
  ttl: number
  pool: RecordPool
  /** Whether a record was put in: then all have its TTL. */
  isEven: boolean
}

/** RRsets while actions are applied to them, one after the other; each costs the same, however large they are. */
export class RRsetState {
  /** How actions were read, where that may surprise. */
  readonly warnings: Violation[] = []
  readonly #sets = new Map<string, OpenSet>()
  /** Where each stored record is. */
  readonly #places = new Map<string, { set: OpenSet; record: RecordData }>()

  constructor(private readonly zone: Apex) {}

  /** Puts the RRsets in that are there, one record after the other. */
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

  take(id: RecordId): StoredInSet {
    const place = this.#places.get(String(id))
    if (!place?.set.pool.takeThis(place.record)) {
      throw missingRecord()
    }
    const { name, type, ttl: seconds } = place.set
    return { key: { name, type }, ttl: seconds, record: place.record }
  }

  /** Takes all records of an RRset. */
  takeAll(key: RRsetKey): RecordData[] {
    const records = [...(this.poolOf(key)?.left() ?? [])]
    this.#sets.delete(keyOf(key))
    records.forEach(({ id }) => this.#places.delete(String(id)))
    return records
  }

  /** The records of an RRset, to be taken; none of a set that is not there. */
  poolOf(key: RRsetKey): RecordPool | undefined {
    return this.#sets.get(keyOf(key))?.pool
  }

  /** Seconds; null of a set that is not there. */
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
      this.#places.set(String(record.id), { set, record })
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
