import { createHash } from 'node:crypto'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import { missingRecord } from '#changes/model/action_error'
import type { RecordAction, RemovedItem } from '#changes/model/change_set'
import { isSameState, withSerial } from '#changes/journal/net_changes'
import type { ZoneComments } from '#changes/comments/comment_store'
import { RecordPool } from '#changes/model/record_matcher'
import {
  recordValue,
  valueOf,
  type ActionBaseline,
  type RecordValue,
  type RequestAction,
  type ZoneParts,
} from '#changes/model/change_request'
import { hasBaselineComments, withCurrentComments } from '#changes/requests/comment_baseline'
import { toRequestedRecord } from '#changes/requests/requested_record'
import { keyOfInput, withStoredNames } from '#changes/model/rrset_key'
import type { ZoneReader } from '#changes/model/zone_reader'
import { recordKey } from '#dns/diff'
import type { RecordData, RRset, RRsetKey } from '#dns/types'

interface BaselineSource {
  session: Pick<ZoneReader, 'rrsetsAt' | 'findRecords'>
  trx: QueryClientContract
}

/** The part of an action that depends on the current state. */
export type ActionWithBaseline = Pick<RequestAction, 'requestedAction' | 'base' | 'after' | 'done'>

/**
 * Adds the baseline to each action: the current state of its records. Runs under the lock of the
 * zone.
 *
 * @param terms parts of the request about the zone as a whole
 * @throws 404 for a missing record, `InvalidDns` for an invalid one
 */
export async function addBaselines(
  { session, trx }: BaselineSource,
  zone: BackendZone,
  actions: RecordAction[],
  terms: Pick<ZoneParts, 'comments'>
): Promise<ActionWithBaseline[]> {
  const ids = actions.flatMap((action) =>
    action.op === 'edit' || action.op === 'delete' ? action.id : []
  )
  const found = ids.length > 0 ? await session.findRecords(zone, ids) : []
  const stored = new Map(found.map((record) => [String(record.id), record]))
  const storedNameActions = await withStoredNames(session, zone, actions)
  const keys = storedNameActions.map((action) => keyOf(zone, action, stored))
  const sets = await setsAt(session, zone, keys)
  const withBaselines = actions.map((action, index) =>
    withBaseline(zone, action, keys[index], sets)
  )
  return withCurrentComments(trx, zone, withBaselines, terms.comments !== undefined)
}

type SpelledKey = RRsetKey & { spelling?: string }

function keyOf(
  zone: BackendZone,
  action: RecordAction,
  stored: Map<string, StoredRecord>
): SpelledKey {
  if (action.op === 'edit' || action.op === 'delete') {
    const record = stored.get(String(action.id))
    if (!record) throw missingRecord()
    const { name, type, spelling } = record
    return spelling === undefined ? { name, type } : { name, type, spelling }
  }
  return keyOfInput(zone, action.op === 'add' ? action.record : action)
}

function withBaseline(
  zone: BackendZone,
  action: RecordAction,
  key: SpelledKey,
  sets: FoundSetByKey
): ActionWithBaseline {
  const found = sets.get(keyText(key)) ?? null
  const set = found?.set ?? null
  const stored = storedAction(action)
  const { name, type } = key
  switch (action.op) {
    case 'add': {
      const after = toRequestedRecord(zone, action.record, set)
      const { content, priority } = after
      return {
        requestedAction: stored,
        base: { kind: 'absent', name, type, content, priority },
        after,
      }
    }
    case 'edit':
    case 'delete': {
      const record = found?.byId(action.id)
      if (!set || !record) throw missingRecord()
      const base = { kind: 'record' as const, ...key, ttl: set.ttl, ...recordValue(record) }
      return action.op === 'delete'
        ? { requestedAction: stored, base }
        : {
            requestedAction: stored,
            base,
            after: toRequestedRecord(
              zone,
              { ...base, ...withAbsoluteName(base, action.patch) },
              null
            ),
          }
    }
    case 'remove': {
      const records = findRemovedRecords(zone, set, action.records)
      return { requestedAction: stored, base: { kind: 'records', name, type, records } }
    }
    default:
      return { requestedAction: stored, base: { kind: 'rrset', name, type, state: valueOf(set) } }
  }
}

/** An action without its preconditions, which the baseline replaces. */
function storedAction(action: RecordAction): RecordAction {
  const stored: RecordAction & { from?: unknown; expectedComment?: string } = { ...action }
  delete stored.condition
  delete stored.expectedComment
  delete stored.from
  return 'comments' in stored && stored.comments
    ? { ...stored, comments: stored.comments.map(({ before: _, ...comment }) => comment) }
    : stored
}

/** A patch of a stored record; the unchanged name is absolute. */
function withAbsoluteName({ name }: RRsetKey, patch: object): object {
  const defined = Object.entries(patch).filter(([, value]) => value !== undefined)
  return { name: `${name}.`, ...Object.fromEntries(defined) }
}

/** The records that a `remove` action matches. */
function findRemovedRecords(
  zone: BackendZone,
  set: RRset | null,
  items: RemovedItem[]
): RecordValue[] {
  if (!set) return []
  const pool = new RecordPool(zone, set, set.records)
  items.forEach((item) => pool.takeAllMatches(item))
  const remaining = new Set(pool.remaining())
  return set.records.filter((record) => !remaining.has(record)).map(recordValue)
}

/** State of an action: whether its baseline still holds, and the action with current record ids. */
export interface ActionState {
  isStale: boolean
  wish: RecordAction | null
}

/**
 * States of the actions of one zone, except its deletion.
 *
 * @param comments comments on their records (`loadBaselineComments`); null to compare records only
 */
export async function readActionStates(
  reader: Pick<ZoneReader, 'rrsetsAt'>,
  zone: BackendZone,
  actions: RequestAction[],
  comments: ZoneComments | null
): Promise<ActionState[]> {
  const keys = actions.map(({ base }) => base as SpelledKey)
  const sets = await setsAt(reader, zone, keys)
  return actions.map(({ requestedAction: action, base, done }, index) => {
    const found = sets.get(keyText(keys[index])) ?? null
    // The action was done when filed, and must be done again.
    if (done) return { isStale: isBaselineMet(base, found), wish: null }
    const isStale =
      !isBaselineMet(base, found) || (comments !== null && !hasBaselineComments(base, comments))
    return { isStale, wish: action && withCurrentId(action, base, found) }
  })
}

function isBaselineMet(base: ActionBaseline, found: FoundSet | null): boolean {
  switch (base.kind) {
    case 'record':
      return found?.set.ttl === base.ttl && found.record(base) !== undefined
    case 'absent':
      return !found?.has(base)
    case 'rrset': {
      const { name, type, state } = base
      return isSameState(found?.set ?? null, state && { name, type, ...state })
    }
    case 'records':
      return base.records.every((value) => found?.record(value) !== undefined)
    case 'zone':
      return false
  }
}

/**
 * The action on the record that now has the values of the original: it may have been created again.
 */
function withCurrentId(
  action: RecordAction,
  base: ActionBaseline,
  found: FoundSet | null
): RecordAction {
  if ((action.op !== 'edit' && action.op !== 'delete') || base.kind !== 'record') {
    return action
  }
  const id = found?.record(base, action.id)?.id
  return id === undefined ? action : { ...action, id }
}

/** An RRset with an index of its records: thousands of actions may be about one RRset. */
class FoundSet {
  readonly #byId = new Map<string, RecordData>()
  readonly #byValue = new Map<string, RecordData[]>()
  readonly #contents = new Set<string>()

  constructor(readonly set: RRset) {
    for (const record of set.records) {
      this.#byId.set(String(record.id), record)
      const key = this.#keyOf(record)
      const sameValue = this.#byValue.get(key) ?? []
      sameValue.push(record)
      this.#byValue.set(key, sameValue)
      this.#contents.add(recordKey(set.type, record))
    }
  }

  byId(id: unknown): RecordData | undefined {
    return this.#byId.get(String(id))
  }

  /** A record of this value; among several, the one with this id. */
  record(value: RecordValue, id?: unknown): RecordData | undefined {
    const sameValue = this.#byValue.get(this.#keyOf(value)) ?? []
    const known = id === undefined ? undefined : this.byId(id)
    return known && sameValue.includes(known) ? known : sameValue.at(0)
  }

  has(value: Pick<RecordValue, 'content' | 'priority'>): boolean {
    return this.#contents.has(recordKey(this.set.type, value))
  }

  #keyOf(value: RecordValue): string {
    return `${value.disabled} ${recordKey(this.set.type, value)}`
  }
}

type FoundSetByKey = Map<string, FoundSet>

async function setsAt(
  reader: Pick<ZoneReader, 'rrsetsAt'>,
  zone: BackendZone,
  keys: SpelledKey[]
): Promise<FoundSetByKey> {
  const names = keys.flatMap(({ name, spelling }) => (spelling ? [name, spelling] : [name]))
  const found = names.length > 0 ? await reader.rrsetsAt(zone, [...new Set(names)]) : []
  return new Map(found.map((set) => [keyText(set), new FoundSet(set)]))
}

function keyText({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}

/** Digest of the content of a zone without its serial: the baseline of its deletion. */
export function zoneDigest(rrsets: RRset[]): string {
  const lines = rrsets.map((set) => {
    const { name, type, ttl, records } = set.type === 'SOA' ? withSerial(set, 0) : set
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
