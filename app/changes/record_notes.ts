import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import { chunks } from '#database/chunks'
import { relativeName } from '#dns/names'
import type { RRset, RRsetKey } from '#dns/types'
import { cleanComment, type RecordComment } from '#dns/zonefile/index'

/** What somebody wrote about a record, as it is kept. */
export interface StoredNote {
  /** Relative to the zone, `@` at the apex. */
  owner: string
  type: string
  record_hash: string
  /** JSON: the lines above it. */
  above: string
  beside: string
}

type Zone = Pick<BackendZone, 'id' | 'name'>

/** A comment on one record, whose name, type and content are canonical. */
export interface WrittenComment extends RRsetKey {
  content: string
  priority: number
  /** One line; an empty one ends what was said. */
  comment: string
}

/** Keeps comments beside records; what stands above them, and what is said of others, stays. */
export async function noteBeside(
  trx: QueryClientContract,
  zone: Zone,
  comments: WrittenComment[]
): Promise<void> {
  for (const { name, type, comment, ...record } of comments) {
    const place = {
      zone_id: zone.id,
      owner: relativeName(name, zone.name),
      type,
      record_hash: hashOf(record),
    }
    const rows = () => trx.from('zw_record_notes').where(place)
    const [known]: Pick<StoredNote, 'above' | 'beside'>[] = await rows().select('above', 'beside')
    const above = known?.above ?? '[]'
    const beside = cleanComment(comment)
    if (known?.beside === beside) {
      continue
    }
    await rows().delete()
    if (beside !== '' || above !== '[]') {
      await trx.table('zw_record_notes').insert({ ...place, above, beside })
    }
  }
}

/**
 * Keeps what was written about records, in the transaction that writes them. What was kept of the zone goes;
 * with `only`, what was kept of these RRsets.
 */
export async function keepNotes(
  trx: QueryClientContract,
  zone: Zone,
  comments: RecordComment[],
  only?: RRsetKey[]
): Promise<void> {
  const rows = () => trx.from('zw_record_notes').where('zone_id', zone.id)
  if (only) {
    const touched = new Set(
      only.map(({ name, type }) => `${relativeName(name, zone.name)} ${type}`)
    )
    const owners = [...new Set(only.map(({ name }) => relativeName(name, zone.name)))]
    for (const part of chunks(owners)) {
      const known: StoredNote[] = await rows().whereIn('owner', part)
      for (const { owner, type } of known.filter((it) => touched.has(`${it.owner} ${it.type}`))) {
        await rows().where({ owner, type }).delete()
      }
    }
  } else {
    await rows().delete()
  }
  const notes = comments.map(({ name, type, above, beside, ...record }) => ({
    owner: relativeName(name, zone.name),
    type,
    record_hash: hashOf(record),
    above: JSON.stringify(above),
    beside,
  }))
  // A disabled record and its enabled twin are one record here.
  const byRecord = new Map(notes.map((it) => [`${it.owner} ${it.type} ${it.record_hash}`, it]))
  await writeNotes(trx, zone, [...byRecord.values()])
}

/** Writes notes of a zone that has none. */
export async function writeNotes(
  trx: QueryClientContract,
  zone: Zone,
  notes: StoredNote[]
): Promise<void> {
  for (const part of chunks(notes)) {
    const rows = part.map((note) => ({ zone_id: zone.id, ...note }))
    await trx.table('zw_record_notes').multiInsert(rows)
  }
}

/** All that is kept about the records of a zone. */
export async function notesOf(
  zone: Zone,
  client: QueryClientContract = db.connection()
): Promise<StoredNote[]> {
  const columns = ['owner', 'type', 'record_hash', 'above', 'beside']
  return client.from('zw_record_notes').where('zone_id', zone.id).select(columns)
}

/** What stands beside each of these records, in their order; empty where nothing does. */
export async function commentsBeside(
  zone: Zone,
  records: (RRsetKey & { content: string; priority: number })[],
  client: QueryClientContract = db.connection()
): Promise<string[]> {
  const ownerOf = ({ name }: RRsetKey) => relativeName(name, zone.name)
  const known = new Map<string, string>()
  for (const part of chunks([...new Set(records.map(ownerOf))])) {
    const rows: Pick<StoredNote, 'owner' | 'type' | 'record_hash' | 'beside'>[] = await client
      .from('zw_record_notes')
      .where('zone_id', zone.id)
      .whereIn('owner', part)
      .select('owner', 'type', 'record_hash', 'beside')
    rows.forEach((row) => known.set(`${row.owner} ${row.type} ${row.record_hash}`, row.beside))
  }
  return records.map(
    (record) => known.get(`${ownerOf(record)} ${record.type} ${hashOf(record)}`) ?? ''
  )
}

/** The notes of the records that are there, for a zone file. */
export function commentsOf(apex: string, rrsets: RRset[], notes: StoredNote[]): RecordComment[] {
  if (notes.length === 0) {
    return []
  }
  const known = new Map(
    notes.map((note) => [`${note.owner} ${note.type} ${note.record_hash}`, note])
  )
  return rrsets.flatMap(({ name, type, records }) =>
    records.flatMap(({ content, priority, disabled }) => {
      const key = `${relativeName(name, apex)} ${type} ${hashOf({ content, priority })}`
      const note = known.get(key)
      const { above = '[]', beside = '' } = note ?? {}
      return note
        ? [
            {
              name,
              type,
              content,
              priority,
              disabled,
              above: JSON.parse(above) as string[],
              beside,
            },
          ]
        : []
    })
  )
}

function hashOf({ content, priority }: { content: string; priority: number }): string {
  return createHash('sha256').update(`${priority} ${content}`).digest('hex')
}
