import { isDeepStrictEqual } from 'node:util'
import { recordTag, rrsetTag } from '#changes/model/etags'
import { presentContent } from '#dns/records/registry'
import { inOrder, type SetState, type State } from '#tests/support/faults/zone_history'

/** A record of the model. */
export type ModelRecord = SetState['records'][number]

/** Name of an RRset in a state: absolute owner name and type. */
export type SetName = `${string} ${string}`

/** Returns the state with these RRsets replaced. null deletes an RRset. */
export function withSets(state: State, sets: Record<SetName, SetState | null>): State {
  const next = new Map(state)
  for (const [name, set] of Object.entries(sets)) {
    if (set && set.records.length > 0) {
      next.set(name, inOrder(set))
    } else {
      next.delete(name)
    }
  }
  return next
}

/** Returns the state with an additional record. Its TTL becomes the TTL of the RRset (RFC 2181, section 5.2). */
export function withRecord(state: State, name: SetName, ttl: number, record: ModelRecord): State {
  const records = state.get(name)?.records ?? []
  return withSets(state, { [name]: { ttl, records: [...records, record] } })
}

/** Returns the state without the records of this content (in API format) in an RRset. */
export function withoutContent(state: State, name: SetName, content: string): State {
  const set = state.get(name)
  const type = name.split(' ')[1]
  const records =
    set?.records.filter((record) => presentContent(type, record.content) !== content) ?? []
  return withSets(state, { [name]: set ? { ...set, records } : null })
}

/** Returns the differences between two states without the SOA record, as texts; empty for equal states. */
export function differencesBetween(found: State, expected: State): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((name) => !name.endsWith(' SOA'))
    .filter((name) => !isDeepStrictEqual(found.get(name), expected.get(name)))
    .map((name) => {
      const shown = (state: State) => JSON.stringify(state.get(name) ?? null)
      return `${name} is ${shown(found)}, expected ${shown(expected)}`
    })
}

/** Returns the number of records of the zone without its SOA record. */
export function countOf(state: State): number {
  return [...state]
    .filter(([name]) => !name.endsWith(' SOA'))
    .reduce((total, [, { records }]) => total + records.length, 0)
}

/** Returns the entity tag of an RRset; null without the RRset. */
export function tagOfSet(state: State, key: SetName): string | null {
  const set = state.get(key)
  const [name, type] = key.split(' ')
  return set ? rrsetTag({ name, type, ...set }) : null
}

/** Returns the entity tags of the records of an RRset. */
export function tagsOfRecords(state: State, key: SetName): string[] {
  const [name, type] = key.split(' ')
  const { ttl = 0, records = [] } = state.get(key) ?? {}
  return records.map((record) => recordTag({ name, type, ttl, ...record }))
}
