import { isDeepStrictEqual } from 'node:util'
import { recordTag, rrsetTag } from '#changes/model/etags'
import { presentContent } from '#dns/records/registry'
import { inOrder, type SetState, type State } from '#tests/support/faults/zone_history'

/** A record of the model. */
export type ModelRecord = SetState['records'][number]

/** Name of an RRset in a state: absolute owner name and type. */
export type SetName = `${string} ${string}`

/** The state with these RRsets instead; null for one that is to go. */
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

/** The state with a record more; its TTL becomes that of the RRset (RFC 2181, 5.2). */
export function withRecord(state: State, name: SetName, ttl: number, record: ModelRecord): State {
  const records = state.get(name)?.records ?? []
  return withSets(state, { [name]: { ttl, records: [...records, record] } })
}

/** The state without the records of that content, as the API shows it, in an RRset. */
export function withoutContent(state: State, name: SetName, content: string): State {
  const set = state.get(name)
  const type = name.split(' ')[1]
  const records =
    set?.records.filter((record) => presentContent(type, record.content) !== content) ?? []
  return withSets(state, { [name]: set ? { ...set, records } : null })
}

/** What differs between two states, but for the SOA record, in words; empty for the same. */
export function differencesBetween(found: State, expected: State): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((name) => !name.endsWith(' SOA'))
    .filter((name) => !isDeepStrictEqual(found.get(name), expected.get(name)))
    .map((name) => {
      const shown = (state: State) => JSON.stringify(state.get(name) ?? null)
      return `${name} is ${shown(found)}, expected ${shown(expected)}`
    })
}

/** Records of the zone without its SOA. */
export function countOf(state: State): number {
  return [...state]
    .filter(([name]) => !name.endsWith(' SOA'))
    .reduce((total, [, { records }]) => total + records.length, 0)
}

/** Entity tag of an RRset; null where there is none. */
export function tagOfSet(state: State, key: SetName): string | null {
  const set = state.get(key)
  const [name, type] = key.split(' ')
  return set ? rrsetTag({ name, type, ...set }) : null
}

/** Entity tags of the records of an RRset. */
export function tagsOfRecords(state: State, key: SetName): string[] {
  const [name, type] = key.split(' ')
  const { ttl = 0, records = [] } = state.get(key) ?? {}
  return records.map((record) => recordTag({ name, type, ttl, ...record }))
}
