import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { chunks } from '#database/statements/chunks'
import { recordKey } from '#dns/diff'
import { relativeName } from '#dns/names'
import type { RRsetCommentChanges } from '#dns/record_comments'
import type { RecordData, CommentText, RRset, RRsetKey } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'

/** A row of `zw_record_comments` without its zone. */
export interface StoredComment {
  /** Relative to the zone, `@` at the apex. */
  owner: string
  type: string
  record_hash: string
  /** JSON: the lines above the record. */
  above: string
  inline: string
}

type Zone = Pick<BackendZone, 'id' | 'name'>
type CommentedRecord = Pick<RecordData, 'content' | 'priority'>

/** Columns of a `StoredComment`. */
export const COMMENT_COLUMNS = ['owner', 'type', 'record_hash', 'above', 'inline']

/** Comments on the records of a zone. A disabled record and its enabled twin share one comment. */
export class ZoneComments {
  /** By RRset, then by the hash of the record. */
  readonly #sets = new Map<string, Map<string, CommentText>>()

  constructor(
    private readonly apex: string,
    rows: StoredComment[]
  ) {
    for (const { owner, type, record_hash: hash, above, inline } of rows) {
      this.#setOf(`${owner} ${type}`).set(hash, { above: JSON.parse(above) as string[], inline })
    }
  }

  /** A copy of the comments, for a zone of that name. */
  copy(apex = this.apex): ZoneComments {
    const copy = new ZoneComments(apex, [])
    this.#sets.forEach((comments, key) => copy.#sets.set(key, new Map(comments)))
    return copy
  }

  /** Whether a record of the RRset has a comment. */
  has(set: RRsetKey): boolean {
    return (this.#sets.get(this.#keyOf(set))?.size ?? 0) > 0
  }

  /** The comment on a record; null without one. */
  commentOn(set: RRsetKey, record: CommentedRecord): CommentText | null {
    const comments = this.#sets.get(this.#keyOf(set))
    if (!comments) return null
    return comments.get(hashOf(set.type, record)) ?? null
  }

  /** Replaces the comment on a record; null removes it. */
  setComment(set: RRsetKey, record: CommentedRecord, comment: CommentText | null): void {
    const comments = this.#setOf(this.#keyOf(set))
    const isEmpty = !comment || (comment.above.length === 0 && comment.inline === '')
    const hash = hashOf(set.type, record)
    comments.delete(hash)
    if (!isEmpty) comments.set(hash, comment)
  }

  /**
   * Comments on these records, for a zone file.
   *
   * @param apex name of the zone of the records, if it differs from that of the comments
   */
  commentsAmong(rrsets: RRset[], apex = this.apex): RecordComment[] {
    if (apex !== this.apex) {
      return this.copy(apex).commentsAmong(rrsets)
    }
    const commented = this.#sets.size > 0 ? rrsets.filter((set) => this.has(set)) : []
    return commented.flatMap((set) =>
      set.records.flatMap(({ content, priority, disabled }) => {
        const comment = this.commentOn(set, { content, priority })
        const { name, type } = set
        return comment ? [{ name, type, content, priority, disabled, ...comment }] : []
      })
    )
  }

  #setOf(key: string): Map<string, CommentText> {
    const comments = this.#sets.get(key) ?? new Map<string, CommentText>()
    this.#sets.set(key, comments)
    return comments
  }

  #keyOf({ name, type }: RRsetKey): string {
    return `${relativeName(name, this.apex)} ${type}`
  }
}

/** Stores the comments on the records of a new zone. */
export async function storeComments(
  trx: QueryClientContract,
  zone: Zone,
  comments: RecordComment[]
): Promise<void> {
  const rows = comments.map(({ above, inline, ...record }) =>
    storedComment(zone.name, record, record, { above, inline })
  )
  // A disabled record and its enabled twin share one row.
  await insertComments(trx, zone, [...new Map(rows.map((it) => [keyText(it), it])).values()])
}

/** Inserts comments of records that have none. */
export async function insertComments(
  trx: QueryClientContract,
  zone: Zone,
  comments: StoredComment[]
): Promise<void> {
  for (const part of chunks(comments)) {
    const rows = part.map((comment) => ({ zone_id: zone.id, ...comment }))
    await trx.table('zw_record_comments').multiInsert(rows)
  }
}

/** Stores changed comments in the transaction that writes the records. */
export async function updateComments(
  trx: QueryClientContract,
  zone: Zone,
  changes: RRsetCommentChanges[]
): Promise<void> {
  const all = changes.flatMap((set) => set.comments.map((comment) => ({ set, comment })))
  const keys = all.map(({ set, comment }) => commentKey(zone.name, set, comment))
  for (const part of chunks(keys)) {
    await trx
      .from('zw_record_comments')
      .where('zone_id', zone.id)
      .whereIn(
        ['owner', 'type', 'record_hash'],
        part.map(({ owner, type, record_hash: hash }) => [owner, type, hash])
      )
      .delete()
  }
  const comments = all.flatMap(({ set, comment }) =>
    comment.after ? [storedComment(zone.name, set, comment, comment.after)] : []
  )
  await insertComments(trx, zone, comments)
}

/** All comments of a zone. */
export async function loadComments(
  zone: Pick<Zone, 'id'>,
  client: QueryClientContract = db.connection()
): Promise<StoredComment[]> {
  return client.from('zw_record_comments').where('zone_id', zone.id).select(COMMENT_COLUMNS)
}

/** Comments on records at these owner names; of the whole zone if `names` is null. */
export async function loadCommentsAt(
  zone: Zone,
  names: string[] | null,
  client: QueryClientContract = db.connection()
): Promise<ZoneComments> {
  if (names === null) {
    return new ZoneComments(zone.name, await loadComments(zone, client))
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
      .select(COMMENT_COLUMNS)
    rows.push(...found)
  }
  return new ZoneComments(zone.name, rows)
}

/** The end-of-line comment of each record, in their order; empty without one. */
export async function inlineComments(
  zone: Zone,
  records: (RRsetKey & CommentedRecord)[]
): Promise<string[]> {
  const stored = await loadCommentsAt(
    zone,
    records.map(({ name }) => name)
  )
  return records.map((record) => stored.commentOn(record, record)?.inline ?? '')
}

/** Comments on these records, for a zone file. */
export function commentsOf(
  apex: string,
  rrsets: RRset[],
  comments: StoredComment[]
): RecordComment[] {
  return new ZoneComments(apex, comments).commentsAmong(rrsets)
}

type CommentKey = Pick<StoredComment, 'owner' | 'type' | 'record_hash'>

function storedComment(
  apex: string,
  set: RRsetKey,
  record: CommentedRecord,
  { above, inline }: CommentText
): StoredComment {
  return { ...commentKey(apex, set, record), above: JSON.stringify(above), inline }
}

/** The key of a record in `zw_record_comments`. */
function commentKey(apex: string, { name, type }: RRsetKey, record: CommentedRecord): CommentKey {
  return { owner: relativeName(name, apex), type, record_hash: hashOf(type, record) }
}

/** The hash of a record without the serial of an SOA record. */
function hashOf(type: string, record: CommentedRecord): string {
  return createHash('sha256').update(recordKey(type, record)).digest('hex')
}

function keyText({ owner, type, record_hash: hash }: CommentKey): string {
  return `${owner} ${type} ${hash}`
}
