import type { BackendZone, StoredRecord } from '#backends/contract'
import type { RecordAction, RecordInput } from '#changes/change_set'
import dns from '#config/dns'
import { InvalidDns } from '#dns/errors'
import { canonicalRecord, recordType } from '#dns/records/registry'
import { ownerName } from '#dns/names'
import { ttl } from '#dns/ttl'
import type { RecordData, RecordId, RRset, RRsetKey } from '#dns/types'
import { notFound } from '#exceptions/refusal'

/** What planning reads: a backend, or a write session that holds the zone's lock. */
export interface ZoneReader {
  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  findRecord(zone: BackendZone, id: RecordId): Promise<StoredRecord | null>
  rrsetsPointingTo(zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]>
}

/** An RRset that an action reads or writes; `spelling` as of `StoredRecord`. */
export interface TouchedSet extends RRsetKey {
  spelling?: string
}

/**
 * The RRsets that the actions take records from or put records into. Throws `InvalidDns` for a name that
 * is none, and a 404 for a record that is not there.
 */
export async function touchedSets(
  reader: ZoneReader,
  zone: BackendZone,
  actions: RecordAction[]
): Promise<TouchedSet[]> {
  const sets: TouchedSet[] = []
  for (const action of actions) {
    if (action.op === 'add') {
      const { name, type } = action.record
      sets.push({ name: ownerName(name, zone.name), type: type.toUpperCase() })
      continue
    }
    const record = await reader.findRecord(zone, action.id)
    if (!record) {
      throw missingRecord()
    }
    sets.push({ name: record.name, type: record.type, spelling: record.spelling })
    if (action.op === 'edit') {
      const { name, type } = action.patch
      sets.push({
        name: name === undefined ? record.name : ownerName(name, zone.name),
        type: (type ?? record.type).toUpperCase(),
      })
    }
  }
  return sets
}

/**
 * The RRsets as the actions want them, given those that are there. Actions take effect in their order.
 * The TTL of a written record becomes the TTL of its set (RFC 2181, 5.2).
 */
export function desiredRRsets(
  zone: BackendZone,
  before: RRset[],
  actions: RecordAction[]
): RRset[] {
  const state = new ZoneState(before)
  for (const action of actions) {
    switch (action.op) {
      case 'add':
        state.add(...normalised(zone, action.record))
        break
      case 'delete':
        state.take(action.id)
        break
      case 'edit': {
        const stored = state.take(action.id)
        state.add(...edited(zone, stored, action.patch))
        break
      }
    }
  }
  return state.rrsets()
}

type KeyedRecord = [key: RRsetKey, ttl: number, record: RecordData]

/**
 * A stored record with a patch on it. What the patch does not touch is not judged again: a record that
 * another tool wrote badly, or of a type that cannot be written here, can still be disabled.
 */
function edited(zone: BackendZone, stored: StoredInSet, patch: Partial<RecordInput>): KeyedRecord {
  const { key, record } = stored
  const name = patch.name === undefined ? key.name : ownerName(patch.name, zone.name)
  const type = (patch.type ?? key.type).toUpperCase()
  const content = patch.content ?? record.content
  const hasPriority = type === key.type || recordType(type)?.priority === true
  const priority = patch.priority ?? (hasPriority ? record.priority : 0)
  const disabled = patch.disabled ?? record.disabled
  const isTouched =
    name !== key.name ||
    type !== key.type ||
    content !== record.content ||
    priority !== record.priority
  if (isTouched) {
    checkWriter(type)
  }
  const data = isTouched
    ? canonicalRecord({ type, content, priority, disabled, name, apex: zone.name })
    : { content, priority, disabled }
  return [{ name, type }, ttl(patch.ttl ?? stored.ttl), { ...data, id: record.id }]
}

/**
 * Throws for types that only the name server writes, such as signatures, and for those that the name server
 * in use does not know.
 */
function checkWriter(word: string): void {
  const type = recordType(word)
  if (type?.writer === 'server') {
    throw new InvalidDns('type', word, 'a type that people write', {
      problem: 'is written by the name server alone',
    })
  }
  if (type?.since !== undefined && isNewer(type.since, dns.pdns_version)) {
    throw new InvalidDns('type', word, `a type that PowerDNS ${dns.pdns_version} serves`, {
      problem: `needs PowerDNS ${type.since} (setting dns.pdns_version)`,
    })
  }
}

function isNewer(version: string, other: string): boolean {
  const [major, minor] = version.split('.').map(Number)
  const [otherMajor, otherMinor] = other.split('.').map(Number)
  return major > otherMajor || (major === otherMajor && minor > otherMinor)
}

function normalised(zone: BackendZone, input: RecordInput): KeyedRecord {
  const name = ownerName(input.name, zone.name)
  const { type, content, priority, disabled } = input
  checkWriter(type)
  const record = canonicalRecord({ type, content, priority, disabled, name, apex: zone.name })
  return [{ name, type: type.toUpperCase() }, ttl(input.ttl), record]
}

interface StoredInSet {
  key: RRsetKey
  ttl: number
  record: RecordData
}

/** RRsets while actions are applied to them, one after the other. */
class ZoneState {
  readonly #sets = new Map<string, RRset>()

  constructor(before: RRset[]) {
    for (const set of before) {
      this.#sets.set(`${set.name} ${set.type}`, { ...set, records: [...set.records] })
    }
  }

  add(key: RRsetKey, seconds: number, record: RecordData): void {
    const id = `${key.name} ${key.type}`
    const set = this.#sets.get(id) ?? { ...key, ttl: seconds, records: [] }
    set.ttl = seconds
    set.records.push(record)
    this.#sets.set(id, set)
  }

  take(id: RecordId): StoredInSet {
    for (const set of this.#sets.values()) {
      const index = set.records.findIndex((record) => String(record.id) === String(id))
      if (index >= 0) {
        const [record] = set.records.splice(index, 1)
        return { key: { name: set.name, type: set.type }, ttl: set.ttl, record }
      }
    }
    throw missingRecord()
  }

  rrsets(): RRset[] {
    return [...this.#sets.values()].filter((set) => set.records.length > 0)
  }
}

function missingRecord() {
  return notFound('Record not found in this zone')
}
