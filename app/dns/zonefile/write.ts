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
const CHUNK_CHARACTERS = 16_384
/** Names whose labels have a valid length; others are validated separately. */
const PLAIN_NAME = /^(?=.{1,253}$)(?:[a-z0-9_*-]{1,63}\.)*[a-z0-9_-]{1,63}$/

/** Input of a zone file. */
export interface ZoneFileSource {
  /** Canonical name of the zone. */
  apex: string
  /** In any order; each RRset once. */
  rrsets: Iterable<RRset>
  /** Comments in any order; those without a record are skipped. */
  comments?: Iterable<RecordComment>
}

/**
 * Writes a zone file in chunks of whole lines, in the order of `zoneOrder`. A change of one record changes no other line.
 * `$TTL` is that of the SOA; only lines that users add need it. A content that its record type refuses becomes a comment with
 * ";invalid"; an import retains its stored record.
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
      if (text.length < CHUNK_CHARACTERS) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

function commentsByRecord(comments: Iterable<RecordComment>): Map<string, CommentText> {
  const commentTexts = new Map<string, CommentText>()
  for (const comment of comments) {
    const commentText = cleanCommentText(comment.above, comment.inline)
    if (commentText) commentTexts.set(keyOf(comment, comment), commentText)
  }
  return commentTexts
}

function keyOf({ name, type }: RRsetKey, record: Omit<RecordData, 'id' | 'auth'>): string {
  return `${name} ${type} ${identity(record)}`
}

/** A stored record that a zone file contains only as a comment. */
export interface RefusedRecord {
  rrset: RRset
  record: RecordData
  /** The text after `;invalid `. */
  text: string
}

/** Yields the records that `writeZoneFile` writes as comments, because no file could be read with them. */
export function* refusedRecords(apex: string, rrsets: Iterable<RRset>): Generator<RefusedRecord> {
  for (const rrset of rrsets) {
    for (const { record, line } of linesOf(apex, rrset)) {
      if (line.startsWith(`;${INVALID}`)) {
        yield { rrset, record, text: line.slice(INVALID.length + 1) }
      }
    }
  }
}

/** Yields the line of each record. A duplicate and a second SOA record become ";invalid" lines. */
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
  // An import would attach the comments to the next record, because an ";invalid" line is no record.
  if (!commentText || line.startsWith(`;${INVALID}`)) return `${line}\n`
  const above = commentText.above.map((text) => (text === '' ? ';\n' : `; ${text}\n`)).join('')
  return `${above}${line}${commentText.inline ? ` ; ${commentText.inline}` : ''}\n`
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

/** Returns whether a reader of the file gets the stored name. */
function isReadBack(name: string, apex: string): boolean {
  if (PLAIN_NAME.test(name)) return isWithin(name, apex)
  return storedOwnerName(`${escapedName(name)}.`, apex) === name
}

/** Returns the owner relative to the apex, or absolute if the relative name looks like one without its final dot. */
function ownerOf(name: string, apex: string): string {
  const relative = relativeName(name, apex)
  if (relative === '@' || relative === '\\@') return relative
  const isRelative = isWithin(name, apex) && !lacksDot(relative, apex)
  return isRelative ? escapedName(relative) : `${escapedName(name)}.`
}

/** Pads to a column that depends only on the length of this field. */
function pad(text: string, width: number): string {
  const room = text.length < width ? width : (Math.floor(text.length / 8) + 1) * 8
  return text.padEnd(room)
}
