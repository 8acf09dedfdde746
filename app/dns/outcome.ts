import { sameRRset } from '#dns/diff'
import { serialIn, serialOfSet, withSerial } from '#dns/rdata/soa'
import type { RRset, RRsetChange } from '#dns/types'

/** Compares the RRsets of a server with changes: state before, state after, or another state. */
export function stateAmong(
  changes: readonly RRsetChange[],
  rrsets: readonly RRset[]
): 'before' | 'after' | 'other' {
  const found = new Map(rrsets.map((set) => [`${set.name} ${set.type}`, set]))
  const holds = (side: 'before' | 'after') =>
    changes.every((change) =>
      isSame(change[side], found.get(`${change.name} ${change.type}`) ?? null)
    )
  return holds('after') ? 'after' : holds('before') ? 'before' : 'other'
}

/** Compares two RRsets without the serial, which servers increase. */
export function isSame(one: RRset | null, other: RRset | null): boolean {
  if (!one || !other || one.records.length === 0) {
    return (one?.records.length ?? 0) === (other?.records.length ?? 0)
  }
  return sameRRset(withoutSerial(one), withoutSerial(other))
}

/** Returns whether a change only affects the SOA serial. */
export function isSerialOnly({ type, before, after }: RRsetChange): boolean {
  return type === 'SOA' && before !== null && after !== null && isSame(before, after)
}

function withoutSerial(set: RRset): RRset {
  if (set.type !== 'SOA' || serialOfSet(set) === null) {
    return set
  }
  return {
    ...set,
    records: set.records.map((record) =>
      serialIn(record.content) === null
        ? record
        : { ...record, content: withSerial(record.content, 0) }
    ),
  }
}
