import { InvalidDns } from '#dns/errors'
import { isWithin, relativeName } from '#dns/names'
import { canonicalRecord, recordType } from '#dns/records/registry'
import { FileFault } from '#dns/zonefile/faults'
import { lacksDot } from '#dns/zonefile/file_names'
import { identity } from '#dns/zonefile/gatherer'
import { cleanComment, cleanNote, DISABLED, INVALID, LONG_STRING } from '#dns/zonefile/notes'
import { recordOrder, zoneOrder } from '#dns/zonefile/order'
import { printRdata } from '#dns/zonefile/rdata'
import type { RecordComment } from '#dns/zonefile/types'
import type { RecordData, RecordNote, RRset, RRsetKey } from '#dns/types'

const DEFAULT_TTL = 3600
const OWNER_WIDTH = 24
const FIELD_WIDTH = 8
const CHUNK = 16_384

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
 * type refuses is written as a comment that starts with ";invalid", as the file could not be read with it.
 */
export function* writeZoneFile({ apex, rrsets, comments = [] }: ZoneFileSource): Generator<string> {
  const notes = notesByRecord(comments)
  const sets = zoneOrder(rrsets, apex)
  const soa = sets.find(({ name, type }) => type === 'SOA' && name === apex)
  let text = `$ORIGIN ${apex}.\n$TTL ${soa?.ttl ?? DEFAULT_TTL}\n`
  for (const rrset of sets) {
    for (const record of recordOrder(rrset.records)) {
      const note = notes.size > 0 ? notes.get(keyOf(rrset, record)) : undefined
      text += recordLines(apex, rrset, record, note)
      if (text.length < CHUNK) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

function notesByRecord(comments: Iterable<RecordComment>): Map<string, RecordNote> {
  const notes = new Map<string, RecordNote>()
  for (const comment of comments) {
    const note = cleanNote(comment.above, comment.beside)
    if (note) notes.set(keyOf(comment, comment), note)
  }
  return notes
}

function keyOf({ name, type }: RRsetKey, record: Omit<RecordData, 'id' | 'auth'>): string {
  return `${name} ${type} ${identity(record)}`
}

function recordLines(apex: string, rrset: RRset, record: RecordData, note?: RecordNote): string {
  const above = (note?.above ?? []).map((line) => (line === '' ? ';\n' : `; ${line}\n`)).join('')
  const beside = note?.beside ? ` ; ${note.beside}` : ''
  return `${above}${recordLine(apex, rrset, record)}${beside}\n`
}

function recordLine(apex: string, rrset: RRset, record: RecordData): string {
  const { name, type, ttl } = rrset
  const { content, priority, disabled } = record
  const head = pad(ownerOf(name, apex), OWNER_WIDTH) + pad(String(ttl), FIELD_WIDTH)
  try {
    const stored = canonicalRecord({ type, content, priority, disabled, name, apex })
    const { text, pieces } = printRdata(type, stored.content, priority)
    const line = `${head}IN ${pad(type, FIELD_WIDTH)}${text}${pieces ? ` ;${LONG_STRING}` : ''}`
    return disabled ? `;${DISABLED}${line}` : line
  } catch (error) {
    if (!(error instanceof InvalidDns) && !(error instanceof FileFault)) throw error
    const before = recordType(type)?.priority ? `${priority} ` : ''
    return `;${INVALID}${cleanComment(`${head}IN ${type} ${before}${content}`)}`
  }
}

/** Relative to the apex, unless that would look like an absolute name without its final dot. */
function ownerOf(name: string, apex: string): string {
  const relative = relativeName(name, apex)
  return isWithin(name, apex) && !lacksDot(relative, apex) ? relative : `${name}.`
}

/** Every column starts at a place that depends on the field before it alone. */
function pad(text: string, width: number): string {
  const room = text.length < width ? width : (Math.floor(text.length / 8) + 1) * 8
  return text.padEnd(room)
}
