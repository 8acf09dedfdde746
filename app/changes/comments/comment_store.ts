import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { chunks } from '#database/statements/chunks'
import { recordKey } from '#dns/diff'
import { relativeName } from '#dns/names'
import type { NotedSet } from '#dns/record_comments'
import type { RecordData, RecordNote, RRset, RRsetKey } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'

/** What somebody wrote about a record, as it is kept. */
export interface StoredComment {
  /** Relative to the zone, `@` at the apex. */
  owner: string
  type: string
  record_hash: string
  /** JSON: the lines above it. */
  above: string
  beside: string
}

type Zone = Pick<BackendZone, 'id' | 'name'>
type NotedRecord = Pick<RecordData, 'content' | 'priority'>

/** What makes a `StoredComment`. */
export const NOTE_COLUMNS = ['owner', 'type', 'record_hash', 'above', 'beside']

/** What is kept about records of a zone, to be looked up. A disabled record and its enabled twin are one here. */
export class ZoneComments {
  /** By RRset, then by the hash of the record. */
  readonly #sets = new Map<string, Map<string, RecordNote>>()

  constructor(
    private readonly apex: string,
    rows: StoredComment[]
  ) {
    for (const { owner, type, record_hash: hash, above, beside } of rows) {
      this.#setOf(`${owner} ${type}`).set(hash, { above: JSON.parse(above) as string[], beside })
    }
  }

  /** The same notes, of a zone of that name. */
  copy(apex = this.apex): ZoneComments {
    const copy = new ZoneComments(apex, [])
    this.#sets.forEach((notes, key) => copy.#sets.set(key, new Map(notes)))
    return copy
  }

  /** Whether anything is kept about the records of an RRset. */
  has(set: RRsetKey): boolean {
    return (this.#sets.get(this.#keyOf(set))?.size ?? 0) > 0
  }

  /** What is kept about a record; null for nothing. */
  on(set: RRsetKey, record: NotedRecord): RecordNote | null {
    const notes = this.#sets.get(this.#keyOf(set))
    if (!notes) return null
    return notes.get(hashOf(set.type, record)) ?? null
  }

  /** Keeps something else of a record; null for nothing. */
  put(set: RRsetKey, record: NotedRecord, note: RecordNote | null): void {
    const notes = this.#setOf(this.#keyOf(set))
    const isNothing = !note || (note.above.length === 0 && note.beside === '')
    const hash = hashOf(set.type, record)
    notes.delete(hash)
    if (!isNothing) notes.set(hash, note)
  }

  /**
   * All that is kept about these records, for a zone file.
   *
   * @param apex name of the zone that they stand in, where that is another one
   */
  among(rrsets: RRset[], apex = this.apex): RecordComment[] {
    if (apex !== this.apex) {
      return this.copy(apex).among(rrsets)
    }
    const noted = this.#sets.size > 0 ? rrsets.filter((set) => this.has(set)) : []
    return noted.flatMap((set) =>
      set.records.flatMap(({ content, priority, disabled }) => {
        const note = this.on(set, { content, priority })
        const { name, type } = set
        return note ? [{ name, type, content, priority, disabled, ...note }] : []
      })
    )
  }

  #setOf(key: string): Map<string, RecordNote> {
    const notes = this.#sets.get(key) ?? new Map<string, RecordNote>()
    this.#sets.set(key, notes)
    return notes
  }

  #keyOf({ name, type }: RRsetKey): string {
    return `${relativeName(name, this.apex)} ${type}`
  }
}

/** Keeps what was written about the records of a zone that is new. */
export async function keepNotes(
  trx: QueryClientContract,
  zone: Zone,
  comments: RecordComment[]
): Promise<void> {
  const notes = comments.map(({ above, beside, ...record }) =>
    storedNote(zone.name, record, record, { above, beside })
  )
  // A disabled record and its enabled twin are one record here.
  await writeNotes(trx, zone, [...new Map(notes.map((it) => [placeText(it), it])).values()])
}

/** Writes notes of records that have none. */
export async function writeNotes(
  trx: QueryClientContract,
  zone: Zone,
  notes: StoredComment[]
): Promise<void> {
  for (const part of chunks(notes)) {
    const rows = part.map((note) => ({ zone_id: zone.id, ...note }))
    await trx.table('zw_record_comments').multiInsert(rows)
  }
}

/** Keeps what changes of what is written about records, in the transaction that writes these. */
export async function changeNotes(
  trx: QueryClientContract,
  zone: Zone,
  changes: NotedSet[]
): Promise<void> {
  const all = changes.flatMap((set) => set.notes.map((note) => ({ set, note })))
  const places = all.map(({ set, note }) => placeOf(zone.name, set, note))
  for (const part of chunks(places)) {
    await trx
      .from('zw_record_comments')
      .where('zone_id', zone.id)
      .whereIn(
        ['owner', 'type', 'record_hash'],
        part.map(({ owner, type, record_hash: hash }) => [owner, type, hash])
      )
      .delete()
  }
  const notes = all.flatMap(({ set, note }) =>
    note.after ? [storedNote(zone.name, set, note, note.after)] : []
  )
  await writeNotes(trx, zone, notes)
}

/** All that is kept about the records of a zone. */
export async function notesOf(
  zone: Pick<Zone, 'id'>,
  client: QueryClientContract = db.connection()
): Promise<StoredComment[]> {
  return client.from('zw_record_comments').where('zone_id', zone.id).select(NOTE_COLUMNS)
}

/** What is kept about the records at some owner names; about all of the zone without names. */
export async function notesAt(
  zone: Zone,
  names: string[] | null,
  client: QueryClientContract = db.connection()
): Promise<ZoneComments> {
  if (names === null) {
    return new ZoneComments(zone.name, await notesOf(zone, client))
  }
  const rows: StoredComment[] = []
  for (const part of chunks([...new Set(names)])) {
    const found: StoredComment[] = await client
      .from('zw_record_comments')
      .where('zone_id', zone.id)
      .whereIn(
        'owner',
        part.map((name) => relativeName(name, zone.name))
      )
      .select(NOTE_COLUMNS)
    rows.push(...found)
  }
  return new ZoneComments(zone.name, rows)
}

/** What stands beside each of these records, in their order; empty where nothing does. */
export async function commentsBeside(
  zone: Zone,
  records: (RRsetKey & NotedRecord)[]
): Promise<string[]> {
  const kept = await notesAt(
    zone,
    records.map(({ name }) => name)
  )
  return records.map((record) => kept.on(record, record)?.beside ?? '')
}

/** The notes of the records that are there, for a zone file. */
export function commentsOf(apex: string, rrsets: RRset[], notes: StoredComment[]): RecordComment[] {
  return new ZoneComments(apex, notes).among(rrsets)
}

type Place = Pick<StoredComment, 'owner' | 'type' | 'record_hash'>

function storedNote(
  apex: string,
  set: RRsetKey,
  record: NotedRecord,
  { above, beside }: RecordNote
): StoredComment {
  return { ...placeOf(apex, set, record), above: JSON.stringify(above), beside }
}

/** The key of a record in `zw_record_comments`. */
function placeOf(apex: string, { name, type }: RRsetKey, record: NotedRecord): Place {
  return { owner: relativeName(name, apex), type, record_hash: hashOf(type, record) }
}

/** The hash of a record. The serial of an SOA record is not part of it. */
function hashOf(type: string, record: NotedRecord): string {
  return createHash('sha256').update(recordKey(type, record)).digest('hex')
}

function placeText({ owner, type, record_hash: hash }: Place): string {
  return `${owner} ${type} ${hash}`
}
