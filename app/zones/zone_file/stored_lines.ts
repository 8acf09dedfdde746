import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { commentsOf, loadComments } from '#changes/comments/comment_store'
import { flatMapYielding, mapYielding, runYielding } from '#database/event_loop'
import { csvLine } from '#dns/paste/csv'
import { relativeName } from '#dns/names'
import { presentContent, recordType } from '#dns/records/registry'
import type { RecordData, RRset } from '#dns/types'
import type { ZoneFileContents, ZoneFileProblem } from '#dns/zonefile/index'
import { refusedRecords } from '#dns/zonefile/index'
import { keyOf } from '#zones/zone_file/merge_text'

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
  const names = new Set(await mapYielding(stored, ({ name }) => name))
  const wanted = new Map<string, ZoneFileProblem>()
  await mapYielding(contents.problems, (problem) => {
    if (problem.stored !== undefined) wanted.set(problem.stored, problem)
  })
  const storedLines = await runYielding(wantedLines(linesOf(zone.name, stored), wanted))
  const storedTexts = new Set(storedLines.map(({ text }) => text))
  const problems = await flatMapYielding(contents.problems, (problem) => {
    const { owner, stored: text } = problem
    const isSettled =
      (owner !== undefined && names.has(owner)) || (text !== undefined && storedTexts.has(text))
    return isSettled ? [] : [problem]
  })
  if (storedLines.length === 0) return { ...contents, problems }
  const sets = await runYielding(joined(contents.rrsets, storedLines))
  const storedKeys = new Set(storedLines.map(({ rrset }) => keyOf(rrset)))
  const storedRecords = new Set(storedLines.map(({ record }) => record))
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
      sets.filter((set) => storedKeys.has(keyOf(set)) && isWhole(set, storedRecords)).map(keyOf)
    ),
  }
}

interface StoredLine {
  rrset: RRset
  record: RecordData
  text: string
}

/** The lines that a file has, in steps of one line. */
function* wantedLines(
  lines: Iterable<StoredLine>,
  wanted: ReadonlyMap<string, unknown>
): Generator<undefined, StoredLine[]> {
  const found: StoredLine[] = []
  if (wanted.size === 0) return found
  for (const line of lines) {
    if (wanted.has(line.text)) found.push(line)
    yield
  }
  return found
}

/** Lines that exports write for stored records: comments in zone files, rows in CSV. */
function* linesOf(apex: string, rrsets: RRset[]): Generator<StoredLine> {
  for (const rrset of rrsets) {
    yield* refusedRecords(apex, [rrset])
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
function* joined(rrsets: RRset[], storedLines: StoredLine[]): Generator<undefined, RRset[]> {
  const sets = new Map<string, RRset>()
  for (const set of rrsets) {
    sets.set(keyOf(set), { ...set, records: [...set.records] })
    yield
  }
  for (const { rrset, record } of storedLines) {
    const set = sets.get(keyOf(rrset)) ?? { ...rrset, records: [] }
    sets.set(keyOf(rrset), set)
    set.records.push(record)
  }
  return [...sets.values()]
}

/** Returns whether all records of an RRset are stored ones. */
function isWhole(set: RRset, storedRecords: ReadonlySet<RecordData>): boolean {
  return set.records.every((record) => storedRecords.has(record))
}
