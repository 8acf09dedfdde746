import { createHash } from 'node:crypto'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import { missingRecord } from '#changes/model/action_error'
import type { RecordAction, RemovedItem } from '#changes/model/change_set'
import { sameState, withSerialOf } from '#changes/journal/net_changes'
import type { ZoneComments } from '#changes/comments/comment_store'
import { RecordPool } from '#changes/model/record_matcher'
import {
  recordValue,
  valueOf,
  type ActionBase,
  type RecordValue,
  type RequestAction,
  type ZoneTerms,
} from '#changes/model/change_request'
import { notesHold, withNotesNow } from '#changes/requests/comment_baseline'
import { wishedRecord } from '#changes/requests/requested_record'
import { keyOfWish } from '#changes/model/rrset_key'
import type { ZoneReader } from '#changes/model/zone_reader'
import { recordKey } from '#dns/diff'
import type { RecordData, RRset, RRsetKey } from '#dns/types'

interface Source {
  session: Pick<ZoneReader, 'rrsetsAt' | 'findRecords'>
  trx: QueryClientContract
}

/** Part of an action that follows from what is there. */
export type Based = Pick<RequestAction, 'wish' | 'base' | 'after' | 'done'>

/**
 * Gives each action its base: what is there now of what it is about. To be called under the lock of the zone.
 * Throws a 404 for a record that is not there, and `InvalidDns`.
 *
 * @param terms what is wished with the actions of the zone as a whole
 */
export async function basedNow(
  { session, trx }: Source,
  zone: BackendZone,
  actions: RecordAction[],
  terms: Pick<ZoneTerms, 'notes'>
): Promise<Based[]> {
  const ids = actions.flatMap((wish) => (wish.op === 'edit' || wish.op === 'delete' ? wish.id : []))
  const found = ids.length > 0 ? await session.findRecords(zone, ids) : []
  const stored = new Map(found.map((record) => [String(record.id), record]))
  const keys = actions.map((wish) => keyOf(zone, wish, stored))
  const sets = await setsAt(session, zone, keys)
  const onRecords = actions.map((wish, index) => based(zone, wish, keys[index], sets))
  return withNotesNow(trx, zone, onRecords, terms.notes !== undefined)
}

type Placed = RRsetKey & { spelling?: string }

function keyOf(zone: BackendZone, wish: RecordAction, stored: Map<string, StoredRecord>): Placed {
  if (wish.op === 'edit' || wish.op === 'delete') {
    const record = stored.get(String(wish.id))
    if (!record) throw missingRecord()
    const { name, type, spelling } = record
    return spelling === undefined ? { name, type } : { name, type, spelling }
  }
  return keyOfWish(zone, wish.op === 'add' ? wish.record : wish)
}

function based(zone: BackendZone, wish: RecordAction, key: Placed, sets: Sets): Based {
  const found = sets.get(keyText(key)) ?? null
  const set = found?.set ?? null
  const stored = storedWish(wish)
  const { name, type } = key
  switch (wish.op) {
    case 'add': {
      const after = wishedRecord(zone, wish.record, set)
      const { content, priority } = after
      return { wish: stored, base: { kind: 'absent', name, type, content, priority }, after }
    }
    case 'edit':
    case 'delete': {
      const record = found?.byId(wish.id)
      if (!set || !record) throw missingRecord()
      const base = { kind: 'record' as const, ...key, ttl: set.ttl, ...recordValue(record) }
      return wish.op === 'delete'
        ? { wish: stored, base }
        : {
            wish: stored,
            base,
            after: wishedRecord(zone, { ...base, ...absolute(base, wish.patch) }, null),
          }
    }
    case 'remove': {
      const records = removedFrom(zone, set, wish.records)
      return { wish: stored, base: { kind: 'records', name, type, records } }
    }
    default:
      return { wish: stored, base: { kind: 'rrset', name, type, state: valueOf(set) } }
  }
}

/** A wish without what was asked of the state when it was filed: its base takes the place of that. */
function storedWish(wish: RecordAction): RecordAction {
  const stored: RecordAction & { from?: unknown; commentWas?: string } = { ...wish }
  delete stored.condition
  delete stored.commentWas
  delete stored.from
  return 'notes' in stored && stored.notes
    ? { ...stored, notes: stored.notes.map(({ before: _, ...note }) => note) }
    : stored
}

/** A patch on a stored record; the name that stays is absolute. */
function absolute({ name }: RRsetKey, patch: object): object {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  return { name: `${name}.`, ...Object.fromEntries(given) }
}

/** The records that a `remove` takes. */
function removedFrom(zone: BackendZone, set: RRset | null, items: RemovedItem[]): RecordValue[] {
  if (!set) return []
  const pool = new RecordPool(zone, set, set.records)
  items.forEach((item) => pool.takeEvery(item))
  const left = new Set(pool.left())
  return set.records.filter((record) => !left.has(record)).map(recordValue)
}

/** How an action stands to what is there now: whether its base still holds, and the wish with today's ids. */
export interface Standing {
  isStale: boolean
  wish: RecordAction | null
}

/**
 * How actions of one zone, none of which is its deletion, stand to what is there.
 *
 * @param kept what is written about their records (`notesUnder`); null where records alone are asked for
 */
export async function standingsOf(
  reader: Pick<ZoneReader, 'rrsetsAt'>,
  zone: BackendZone,
  actions: RequestAction[],
  kept: ZoneComments | null
): Promise<Standing[]> {
  const keys = actions.map(({ base }) => base as Placed)
  const sets = await setsAt(reader, zone, keys)
  return actions.map(({ wish, base, done }, index) => {
    const found = sets.get(keyText(keys[index])) ?? null
    // What was done already, and is to be done again by now.
    if (done) return { isStale: holds(base, found), wish: null }
    const isStale = !holds(base, found) || (kept !== null && !notesHold(base, kept))
    return { isStale, wish: wish && rebound(wish, base, found) }
  })
}

function holds(base: ActionBase, found: FoundSet | null): boolean {
  switch (base.kind) {
    case 'record':
      return found?.set.ttl === base.ttl && found.record(base) !== undefined
    case 'absent':
      return !found?.has(base)
    case 'rrset': {
      const { name, type, state } = base
      return sameState(found?.set ?? null, state && { name, type, ...state })
    }
    case 'records':
      return base.records.every((value) => found?.record(value) !== undefined)
    case 'zone':
      return false
  }
}

/** The wish about the record that is there now in place of the one that it named: it may have come again. */
function rebound(wish: RecordAction, base: ActionBase, found: FoundSet | null): RecordAction {
  if ((wish.op !== 'edit' && wish.op !== 'delete') || base.kind !== 'record') {
    return wish
  }
  const id = found?.record(base, wish.id)?.id
  return id === undefined ? wish : { ...wish, id }
}

/** An RRset whose records are found by what they are: thousands of actions may be about one. */
class FoundSet {
  readonly #byId = new Map<string, RecordData>()
  readonly #byValue = new Map<string, RecordData[]>()
  readonly #contents = new Set<string>()

  constructor(readonly set: RRset) {
    for (const record of set.records) {
      this.#byId.set(String(record.id), record)
      const key = this.#keyOf(record)
      const same = this.#byValue.get(key) ?? []
      same.push(record)
      this.#byValue.set(key, same)
      this.#contents.add(recordKey(set.type, record))
    }
  }

  byId(id: unknown): RecordData | undefined {
    return this.#byId.get(String(id))
  }

  /** A record of this value; that of the id where there are several. */
  record(value: RecordValue, id?: unknown): RecordData | undefined {
    const same = this.#byValue.get(this.#keyOf(value)) ?? []
    const known = id === undefined ? undefined : this.byId(id)
    return known && same.includes(known) ? known : same.at(0)
  }

  has(value: Pick<RecordValue, 'content' | 'priority'>): boolean {
    return this.#contents.has(recordKey(this.set.type, value))
  }

  #keyOf(value: RecordValue): string {
    return `${value.disabled} ${recordKey(this.set.type, value)}`
  }
}

type Sets = Map<string, FoundSet>

async function setsAt(
  reader: Pick<ZoneReader, 'rrsetsAt'>,
  zone: BackendZone,
  keys: Placed[]
): Promise<Sets> {
  const names = keys.flatMap(({ name, spelling }) => (spelling ? [name, spelling] : [name]))
  const found = names.length > 0 ? await reader.rrsetsAt(zone, [...new Set(names)]) : []
  return new Map(found.map((set) => [keyText(set), new FoundSet(set)]))
}

function keyText({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}

/** Digest of all that a zone holds, its serial aside: what its deletion is based on. */
export function zoneDigest(rrsets: RRset[]): string {
  const lines = rrsets.map((set) => {
    const { name, type, ttl, records } = set.type === 'SOA' ? withSerialOf(set, 0) : set
    return JSON.stringify([
      name,
      type,
      ttl,
      records.map((it) => JSON.stringify(recordValue(it))).sort(),
    ])
  })
  const digest = createHash('sha256')
  lines.sort().forEach((line) => digest.update(`${line}\n`))
  return digest.digest('hex')
}
