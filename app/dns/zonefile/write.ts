import { InvalidDns } from '#dns/errors'
import { isWithin, relativeName, storedOwnerName } from '#dns/names'
import { canonicalRecord, recordType } from '#dns/records/registry'
import { ttl } from '#dns/rdata/ttl'
import { FileFault } from '#dns/zonefile/reading/faults'
import { escapedName, lacksDot } from '#dns/zonefile/reading/file_names'
import { identity } from '#dns/zonefile/reading/gatherer'
import {
  cleanComment,
  cleanCommentText,
  DISABLED,
  INVALID,
  LONG_STRING,
} from '#dns/zonefile/comments'
import { recordOrder, zoneOrder } from '#dns/zonefile/order'
import { printRdata } from '#dns/zonefile/reading/rdata'
import type { RecordComment } from '#dns/zonefile/types'
import type { RecordData, CommentText, RRset, RRsetKey } from '#dns/types'

const DEFAULT_TTL = 3600
const OWNER_WIDTH = 24
const FIELD_WIDTH = 8
const CHUNK = 16_384
/** Names of which each label is of usual length; others are checked. */
const PLAIN_NAME = /^(?=.{1,253}$)(?:[a-z0-9_*-]{1,63}\.)*[a-z0-9_-]{1,63}$/

/** What is written to a zone file. */
export interface ZoneFileSource {
  /** Canonical name of the zone. */
  apex: string
  /** In any order; an RRset is named once. */
  rrsets: Iterable<RRset>
  /** Comments of records, in any order; those of records that are not there are left out. */
  comments?: Iterable<RecordComment>
}

/**
 * Writes a zone file, in chunks of whole lines. What is the same is written the same: one line a record,
 * in the order of zoneOrder(), each line by itself, so that a change of one record changes no other line.
 *
 * Every record has its TTL; `$TTL` is that of the SOA, for lines that people add. A content that the record
 * type refuses is written as a comment that starts with ";invalid", as the file could not be read with it. An import keeps the stored record that such a line is of.
 */
export function* writeZoneFile({ apex, rrsets, comments = [] }: ZoneFileSource): Generator<string> {
  const commentTexts = commentsByRecord(comments)
  const sets = zoneOrder(rrsets, apex)
  const soa = sets.find(({ name, type }) => type === 'SOA' && name === apex)
  let text = `$ORIGIN ${apex}.\n$TTL ${soa?.ttl ?? DEFAULT_TTL}\n`
  for (const rrset of sets) {
    for (const { record, line } of linesOf(apex, rrset)) {
      const commentText = commentTexts.size > 0 ? commentTexts.get(keyOf(rrset, record)) : undefined
      text += withComment(line, commentText)
      if (text.length < CHUNK) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

function commentsByRecord(comments: Iterable<RecordComment>): Map<string, CommentText> {
  const commentTexts = new Map<string, CommentText>()
  for (const comment of comments) {
    const commentText = cleanCommentText(comment.above, comment.trailing)
    if (commentText) commentTexts.set(keyOf(comment, comment), commentText)
  }
  return commentTexts
}

function keyOf({ name, type }: RRsetKey, record: Omit<RecordData, 'id' | 'auth'>): string {
  return `${name} ${type} ${identity(record)}`
}

/** A stored record that a zone file holds as a comment only. */
export interface RefusedRecord {
  rrset: RRset
  record: RecordData
  /** The text behind `;invalid `. */
  text: string
}

/** The records that `writeZoneFile` writes as comments, as no file could be read with them. */
export function* refusedRecords(apex: string, rrsets: Iterable<RRset>): Generator<RefusedRecord> {
  for (const rrset of rrsets) {
    for (const { record, line } of linesOf(apex, rrset)) {
      if (line.startsWith(`;${INVALID}`)) {
        yield { rrset, record, text: line.slice(INVALID.length + 1) }
      }
    }
  }
}

/** The line of each record. One that is there twice, and a second SOA record, cannot be read back. */
function* linesOf(
  apex: string,
  rrset: RRset
): Generator<{ record: RecordData; line: string }, void> {
  const known = new Set<string>()
  const isSoa = rrset.type === 'SOA'
  for (const record of recordOrder(rrset.records)) {
    const id = isSoa ? 'SOA' : identity(record)
    yield { record, line: recordLine(apex, rrset, record, known.has(id)) }
    if (rrset.records.length > 1) known.add(id)
  }
}

function withComment(line: string, commentText?: CommentText): string {
  // The reader takes comments for those of the record below: this line would be none.
  if (!commentText || line.startsWith(`;${INVALID}`)) return `${line}\n`
  const above = commentText.above.map((text) => (text === '' ? ';\n' : `; ${text}\n`)).join('')
  return `${above}${line}${commentText.trailing ? ` ; ${commentText.trailing}` : ''}\n`
}

function recordLine(apex: string, rrset: RRset, record: RecordData, isRepeated: boolean): string {
  const { name, type, ttl: seconds } = rrset
  const { content, priority, disabled } = record
  const head = pad(ownerOf(name, apex), OWNER_WIDTH) + pad(String(seconds), FIELD_WIDTH)
  try {
    if (isRepeated || !isReadBack(name, apex)) return refusedLine(head, type, record)
    ttl(seconds)
    const stored = canonicalRecord({ type, content, priority, disabled, name, apex })
    const { text, pieces } = printRdata(type, stored.content, priority)
    const line = `${head}IN ${pad(type, FIELD_WIDTH)}${text}${pieces ? ` ;${LONG_STRING}` : ''}`
    return disabled ? `;${DISABLED}${line}` : line
  } catch (error) {
    if (!(error instanceof InvalidDns) && !(error instanceof FileFault)) throw error
    return refusedLine(head, type, record)
  }
}

function refusedLine(head: string, type: string, { content, priority }: RecordData): string {
  const before = recordType(type)?.priority ? `${priority} ` : ''
  return `;${INVALID}${cleanComment(`${head}IN ${type} ${before}${content}`)}`
}

/** Whether a stored name is the one that a reader makes of it. */
function isReadBack(name: string, apex: string): boolean {
  if (PLAIN_NAME.test(name)) return isWithin(name, apex)
  return storedOwnerName(`${escapedName(name)}.`, apex) === name
}

/** Relative to the apex, unless that would look like an absolute name without its final dot. */
function ownerOf(name: string, apex: string): string {
  const relative = relativeName(name, apex)
  if (relative === '@' || relative === '\\@') return relative
  const isRelative = isWithin(name, apex) && !lacksDot(relative, apex)
  return isRelative ? escapedName(relative) : `${escapedName(name)}.`
}

/** Every column starts at a place that depends on the field before it alone. */
function pad(text: string, width: number): string {
  const room = text.length < width ? width : (Math.floor(text.length / 8) + 1) * 8
  return text.padEnd(room)
}
