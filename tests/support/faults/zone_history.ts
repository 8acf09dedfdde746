import { isDeepStrictEqual } from 'node:util'
import db from '@adonisjs/lucid/services/db'
import type { CommentChange } from '#dns/types'
import { filterFault } from '#tests/support/app/zones/zones'
import { commentContradictions } from '#tests/support/faults/comment_history'

/** An RRset in the format of the journal, with its records in a fixed order. */
export interface SetState {
  ttl: number
  records: { content: string; priority: number; disabled: boolean }[]
}

export interface JournalChange {
  name: string
  type: string
  before: SetState | null
  after: SetState | null
  /** Changes of the comments of its records. */
  comments: CommentChange[]
}

/** One entry of the journal with its changes. */
export interface JournalEntry {
  entry: number
  uid: string
  zoneName: string
  serialBefore: number | null
  serialAfter: number | null
  reason: string | null
  zoneBefore: { name?: string; description?: string | null } | null
  zoneAfter: { name?: string; description?: string | null } | null
  changes: JournalChange[]
  /** Why filters would not find the entry; null if they would. */
  misfiled: string | null
}

/** A record row of the table. */
export interface RecordRow {
  id: number
  name: string
  type: string
  content: string
  ttl: number
  priority: number
  disabled: boolean
}

/** Returns true if a change concerns records, not only comments. */
export function changesRecords({ before, after }: JournalChange): boolean {
  return !isDeepStrictEqual(before, after)
}

/** RRsets by `<name> <type>`. */
export type State = Map<string, SetState>

const numberOf = (value: unknown) => (value === null ? null : Number(value))
const jsonOf = (value: string | null) => (value === null ? null : JSON.parse(value))

/** Returns the RRset with its records in a fixed order. */
export function inOrder(set: SetState): SetState {
  const text = (record: object) => JSON.stringify(record)
  return {
    ttl: set.ttl,
    records: set.records.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)),
  }
}

/** Returns all entries of zones with this id, in order. */
export async function entriesOf(zoneId: number): Promise<JournalEntry[]> {
  const rows = await db.from('zw_journal').where('zone_id', zoneId).orderBy('id')
  const changes = await db
    .from('zw_journal_changes')
    .join('zw_journal', 'zw_journal.id', 'zw_journal_changes.journal_id')
    .where('zw_journal.zone_id', zoneId)
    .orderBy('zw_journal_changes.position')
    .select('zw_journal_changes.*')
  const stateOf = (text: string | null) => (text === null ? null : inOrder(JSON.parse(text)))
  const byEntry = Map.groupBy(changes, (change) => String(change.journal_id))
  return rows.map((row) => ({
    entry: Number(row.entry),
    uid: row.zone_uid,
    zoneName: row.zone_name,
    serialBefore: numberOf(row.serial_before),
    serialAfter: numberOf(row.serial_after),
    reason: row.reason,
    zoneBefore: jsonOf(row.zone_before),
    zoneAfter: jsonOf(row.zone_after),
    misfiled: filterFault(row, byEntry.get(String(row.id)) ?? []),
    changes: (byEntry.get(String(row.id)) ?? []).map((change) => ({
      name: change.name,
      type: change.type,
      before: stateOf(change.rrset_before),
      after: stateOf(change.rrset_after),
      comments: jsonOf(change.rrset_after ?? change.rrset_before)?.comments ?? [],
    })),
  }))
}

/** Returns all records of a zone, without empty non-terminals. */
export async function recordRowsOf(zoneId: number): Promise<RecordRow[]> {
  const rows = await db
    .from('records')
    .where('domain_id', zoneId)
    .whereNotNull('type')
    .orderBy('id')
  return rows.map((row) => ({
    id: Number(row.id),
    name: row.name,
    type: row.type,
    content: row.content,
    ttl: row.ttl,
    priority: row.prio ?? 0,
    disabled: Boolean(row.disabled),
  }))
}

function stateOfRows(rows: RecordRow[]): State {
  const state: State = new Map()
  for (const [key, sets] of Map.groupBy(rows, ({ name, type }) => `${name} ${type}`)) {
    const records = sets.map(({ content, priority, disabled }) => ({
      content,
      priority,
      disabled,
    }))
    state.set(key, inOrder({ ttl: Math.min(...sets.map(({ ttl }) => ttl)), records }))
  }
  return state
}

/** Returns the third word of the content of an SOA record. */
function serialIn(set: SetState | undefined): number | null {
  return set ? Number(set.records[0].content.split(' ')[2]) : null
}

/** Replays the journal of a zone and collects its contradictions. */
class Replay {
  readonly state: State = new Map()
  readonly problems: string[] = []
  name = ''
  serial: number | null = null
  isDeleted = false

  take(entry: JournalEntry, index: number, uid: string): void {
    const report = (text: string) => this.problems.push(`entry ${entry.entry}: ${text}`)
    if (entry.entry !== index + 1) report(`is number ${index + 1} in order`)
    if (entry.uid !== uid) report('belongs to another zone')
    if (entry.misfiled) report(entry.misfiled)
    if (this.isDeleted) report('comes after the deletion')
    if (entry.changes.length === 0 && !entry.zoneBefore && !entry.zoneAfter) report('says nothing')
    if (entry.serialBefore !== this.serial) {
      report(`counts from serial ${entry.serialBefore}, the one before ended at ${this.serial}`)
    }
    this.#change(entry, report)
    this.#count(entry, report)
    this.#rename(entry)
    if (this.name !== entry.zoneName) report(`names ${entry.zoneName}, the zone is ${this.name}`)
  }

  #change(entry: JournalEntry, say: (text: string) => void): void {
    for (const { name, type, before, after } of entry.changes) {
      const key = `${name} ${type}`
      const known = this.state.get(key) ?? null
      if (!isDeepStrictEqual(before, known)) {
        say(`${key} was ${JSON.stringify(known)}, said to be ${JSON.stringify(before)}`)
      }
      if (after) {
        this.state.set(key, after)
      } else {
        this.state.delete(key)
      }
    }
  }

  #count(entry: JournalEntry, say: (text: string) => void): void {
    const isRename = entry.zoneAfter?.name !== undefined
    const mustRise = entry.changes.some(changesRecords) || isRename
    const { serialAfter } = entry
    if (serialAfter !== null && this.serial !== null) {
      if (serialAfter < this.serial) say(`serial goes back to ${serialAfter} from ${this.serial}`)
      if (mustRise && serialAfter === this.serial) say(`serial stays at ${serialAfter}`)
    }
    this.serial = serialAfter
    const soa = this.state.get(`${this.name || entry.zoneName} SOA`)
    if (soa && serialAfter !== null) {
      const content = soa.records[0].content.split(' ').with(2, String(serialAfter)).join(' ')
      soa.records[0] = { ...soa.records[0], content }
    }
  }

  #rename({ zoneBefore, zoneAfter }: JournalEntry): void {
    if (zoneBefore && !zoneAfter) {
      this.isDeleted = true
      return
    }
    const name = zoneAfter?.name
    if (name === undefined) {
      return
    }
    const old = this.name
    this.name = name
    const moved = [...this.state].map(([key, set]): [string, SetState] => {
      const [owner, type] = key.split(' ')
      return [`${owner.slice(0, owner.length - old.length)}${name} ${type}`, set]
    })
    if (old !== '') {
      this.state.clear()
      moved.forEach(([key, set]) => this.state.set(key, set))
    }
  }
}

function differences(journal: State, rows: State): string[] {
  const keys = new Set([...journal.keys(), ...rows.keys()])
  return [...keys]
    .filter((key) => !isDeepStrictEqual(journal.get(key), rows.get(key)))
    .map((key) => {
      const expectedText = JSON.stringify(journal.get(key) ?? null)
      return `${key}: the journal says ${expectedText}, the table ${JSON.stringify(rows.get(key) ?? null)}`
    })
}

/**
 * Returns contradictions between the journal of a zone, its rows, its comments and its zone row; empty if every write is
 * complete. The journal is replayed from the creation of the zone.
 */
export async function contradictionsIn(zoneId: number): Promise<string[]> {
  const entries = await entriesOf(zoneId)
  const rows = await recordRowsOf(zoneId)
  const domain = await db.from('domains').where('id', zoneId).first()
  const own = await db.from('zw_zones').where('id', zoneId).first()
  const replay = new Replay()
  entries.forEach((entry, index) => replay.take(entry, index, entries[0].uid))
  const { problems, state, serial, name, isDeleted } = replay
  problems.push(...(await commentContradictions(zoneId, entries)))

  if (isDeleted || entries.length === 0) {
    const left = { domain: Boolean(domain), own: Boolean(own), rows: rows.length, sets: state.size }
    const nothing = { domain: false, own: false, rows: 0, sets: 0 }
    if (!isDeepStrictEqual(left, nothing)) {
      problems.push(`Of a zone that is not there is left: ${JSON.stringify(left)}`)
    }
    return problems
  }
  problems.push(...differences(state, stateOfRows(rows)))
  const soas = rows.filter(({ type }) => type === 'SOA')
  if (soas.length !== 1) problems.push(`The zone has ${soas.length} SOA records`)
  const stored = serialIn(stateOfRows(rows).get(`${name} SOA`))
  if (stored !== serial) {
    problems.push(`The SOA has serial ${stored}, the last entry ends at ${serial}`)
  }
  if (domain?.name !== name || own?.name !== name) {
    problems.push(`The zone is ${name}; domains: ${domain?.name}, zw_zones: ${own?.name}`)
  }
  if (own?.last_entry !== entries.length || own?.uid !== entries[0].uid) {
    problems.push(`zw_zones: ${own?.last_entry} entries of ${own?.uid}; found ${entries.length}`)
  }
  return problems
}
