import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { commentsOf, loadComments } from '#changes/comments/comment_store'
import { csvLine } from '#dns/paste/csv'
import { relativeName } from '#dns/names'
import { presentContent, recordType } from '#dns/records/registry'
import type { RecordData, RRset } from '#dns/types'
import type { ZoneFileContents, ZoneFileProblem } from '#dns/zonefile/index'
import { refusedRecords } from '#dns/zonefile/index'
import { byKey, keyOf } from '#zones/zone_file/merge_text'

/** Keys of RRsets that the parser cannot read. They are taken over as stored. */
export type VerbatimSets = ReadonlySet<string>

/** Parsed contents, with stored records for exported placeholder lines. */
export interface SettledContents extends ZoneFileContents {
  verbatim?: VerbatimSets
}

/**
 * Resolves problems that need the stored zone. Owner names that PowerDNS does not serve are valid
 * if the zone has them. An exported line for an unparsable record becomes the stored record,
 * without validation.
 */
export async function settled(
  backend: DnsBackend,
  zone: BackendZone,
  contents: ZoneFileContents
): Promise<SettledContents> {
  if (!contents.problems.some(isOpen)) return contents
  const stored = await backend.allRRsets(zone)
  const names = new Set(stored.map(({ name }) => name))
  const wanted = new Map<string, ZoneFileProblem>()
  for (const problem of contents.problems) {
    if (problem.stored !== undefined) wanted.set(problem.stored, problem)
  }
  const found = wanted.size === 0 ? [] : [...linesOf(zone.name, stored)]
  const storedLines = found.filter(({ text }) => wanted.has(text))
  const storedTexts = new Set(storedLines.map(({ text }) => text))
  const problems = contents.problems.filter(
    ({ owner, stored: text }) =>
      !(owner !== undefined && names.has(owner)) && !(text !== undefined && storedTexts.has(text))
  )
  if (storedLines.length === 0) return { ...contents, problems }
  const sets = joined(contents.rrsets, storedLines)
  const storedKeys = new Set(storedLines.map(({ rrset }) => keyOf(rrset)))
  const storedComments = commentsOf(
    zone.name,
    storedLines.map(({ rrset, record }) => ({ ...rrset, records: [record] })),
    await loadComments(zone)
  )
  return {
    ...contents,
    problems,
    rrsets: sets,
    records: [
      ...contents.records,
      ...storedLines.map(({ rrset: { name, type, ttl }, record, text }) => ({
        kind: 'record' as const,
        line: wanted.get(text)!.line,
        name,
        type,
        ttl,
        record,
      })),
    ],
    comments: [...contents.comments, ...storedComments],
    verbatim: new Set(
      sets.filter((set) => storedKeys.has(keyOf(set)) && isWhole(set, storedLines)).map(keyOf)
    ),
  }
}

interface StoredLine {
  rrset: RRset
  record: RecordData
  text: string
}

/** Lines that exports write for stored records: comments in zone files, rows in CSV. */
function* linesOf(apex: string, rrsets: RRset[]): Generator<StoredLine> {
  yield* refusedRecords(apex, rrsets)
  for (const rrset of rrsets) {
    for (const record of rrset.records) yield { rrset, record, text: rowOf(apex, rrset, record) }
  }
}

/** Returns the CSV row of a record. */
export function rowOf(apex: string, { name, ttl, type }: RRset, record: RecordData): string {
  const { content, priority, disabled } = record
  const number = recordType(type)?.priority || priority !== 0 ? priority : ''
  const shown = presentContent(type, content)
  return csvLine([relativeName(name, apex), ttl, type, shown, number, disabled ? 'yes' : 'no'])
}

function isOpen({ owner, stored }: ZoneFileProblem): boolean {
  return owner !== undefined || stored !== undefined
}

/**
 * Adds stored records to the RRsets of a file. They get the TTL of their RRset if the file has
 * none.
 */
function joined(rrsets: RRset[], storedLines: StoredLine[]): RRset[] {
  const sets = byKey(rrsets.map((set) => ({ ...set, records: [...set.records] })))
  for (const { rrset, record } of storedLines) {
    const set = sets.get(keyOf(rrset)) ?? { ...rrset, records: [] }
    sets.set(keyOf(rrset), set)
    set.records.push(record)
  }
  return [...sets.values()]
}

/** Returns whether all records of an RRset are stored ones. */
function isWhole(set: RRset, storedLines: StoredLine[]): boolean {
  const records = new Set(storedLines.map(({ record }) => record))
  return set.records.every((record) => records.has(record))
}
