import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { commentsOf, loadComments } from '#changes/comments/comment_store'
import { flatMapYielding, mapYielding, runYielding, yieldIfDue } from '#database/event_loop'
import { csvLine } from '#dns/paste/csv'
import { relativeName } from '#dns/names'
import { presentContent, recordType } from '#dns/records/registry'
import type { RecordData, RRset } from '#dns/types'
import { RRsetCollector } from '#dns/zonefile/reading/gatherer'
import type { ZoneFileContents, ZoneFileProblem, ZoneFileRecord } from '#dns/zonefile/index'
import { refusedRecords } from '#dns/zonefile/index'
import { keyOf } from '#zones/zone_file/merge_text'

/** Keys of RRsets that the parser cannot read. They are written unchanged. */
export type UnchangedSets = ReadonlySet<string>

/** Parsed contents, with stored records for exported placeholder lines. */
export interface ReducedContents extends ZoneFileContents {
  verbatim?: UnchangedSets
}

/**
 * Resolves problems that need the stored zone. Owner names that PowerDNS does not serve are valid
 * if the zone has them. An exported line for an unparsable record becomes the stored record,
 * without validation.
 */
export async function reduceContents(
  backend: DnsBackend,
  zone: BackendZone,
  read: ZoneFileContents
): Promise<ReducedContents> {
  const isTable = read.records.some((record) => record.stored !== undefined)
  if (!isTable && !read.problems.some(isOpen)) return read
  const stored = await backend.allRRsets(zone)
  const { contents, lines: unchanged } = isTable
    ? await withoutStoredRows(zone.name, read, stored)
    : { contents: read, lines: [] }
  const names = new Set(await mapYielding(stored, ({ name }) => name))
  const wanted = new Map<string, ZoneFileProblem>()
  await mapYielding(contents.problems, (problem) => {
    if (problem.stored !== undefined) wanted.set(problem.stored, problem)
  })
  const storedLines = [...unchanged, ...(await runYielding(wantedLines(zone.name, stored, wanted)))]
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
      ...storedLines.map(({ rrset: { name, type, ttl }, record, line }) => ({
        kind: 'record' as const,
        line,
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
  /** Line of the file. */
  line: number
}

/** The lines of stored records that a zone file has in comments, in steps of one line. */
function* wantedLines(
  apex: string,
  rrsets: RRset[],
  wanted: ReadonlyMap<string, ZoneFileProblem>
): Generator<undefined, StoredLine[]> {
  const matchingLines: StoredLine[] = []
  if (wanted.size === 0) return matchingLines
  for (const rrset of rrsets) {
    for (const line of refusedRecords(apex, [rrset])) {
      const problem = wanted.get(line.text)
      if (problem) matchingLines.push({ ...line, line: problem.line })
      yield
    }
  }
  return matchingLines
}

/**
 * Removes rows of stored records from the contents of a table: they match these records, even if
 * another reading is possible. If possible, rows of a changed RRset are parsed, because the lowest
 * TTL applies to all.
 */
async function withoutStoredRows(
  apex: string,
  contents: ZoneFileContents,
  rrsets: RRset[]
): Promise<{ contents: ZoneFileContents; lines: StoredLine[] }> {
  const rowsByText = new Map<string, Omit<StoredLine, 'line'>[]>()
  for (const rrset of rrsets) {
    const pause = yieldIfDue()
    if (pause) await pause
    for (const record of rrset.records) {
      const text = rowOf(apex, rrset, record)
      const storedRows = rowsByText.get(text)
      if (storedRows) storedRows.push({ rrset, record, text })
      else rowsByText.set(text, [{ rrset, record, text }])
    }
  }
  const rows = [...contents.records, ...contents.problems]
    .filter(({ stored }) => stored !== undefined)
    .sort((a, b) => a.line - b.line)
    .map((item) => ({ item, match: rowsByText.get(item.stored!)?.shift() }))
  const changed = new Set(
    rows.flatMap(({ item, match }) => (item.kind === 'record' && !match ? [keyOf(item)] : []))
  )
  const storedItems = new Set<ZoneFileRecord | ZoneFileProblem>()
  const lines = rows.flatMap(({ item, match }) => {
    const isRead =
      item.kind === 'record' &&
      match &&
      keyOf(item) === keyOf(match.rrset) &&
      changed.has(keyOf(item))
    if (!match || isRead) return []
    storedItems.add(item)
    return [{ ...match, line: item.line }]
  })
  const gatherer = new RRsetCollector(apex)
  const errors = contents.problems.filter(({ severity }) => severity === 'error')
  for (const item of [...contents.records, ...errors]) {
    const pause = yieldIfDue()
    if (pause) await pause
    if (!storedItems.has(item)) gatherer.add(item)
  }
  const remaining = await runYielding(gatherer.steps())
  return { contents: { ...contents, ...remaining }, lines }
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
 * Adds stored records to the RRsets of a file. An RRset without a TTL in the file gets the stored
 * TTL.
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
