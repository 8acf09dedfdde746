import type { RecordAction } from '#changes/model/change_set'
import { recordType } from '#dns/records/registry'
import type { Violation } from '#dns/rules/violation'
import type { RRset } from '#dns/types'
import { DEFAULT_LIMITS, type ZoneFileContents, type ZoneFileProblem } from '#dns/zonefile/index'
import type { ReducedContents } from '#zones/zone_file/stored_lines'
import { keyOf } from '#zones/zone_file/merge_text'
import { ZoneFileRefused, problemOn } from '#zones/zone_file/import_error'

/**
 * `replace`: the zone becomes the file. `merge`: sets the RRsets of the file, other RRsets stay.
 */
export type ImportMode = 'merge' | 'replace'

/** Actions of an import. */
export interface ZoneFileActions {
  /** RRsets to set; action n belongs to RRset n. */
  rrsets: RRset[]
  actions: RecordAction[]
  warnings: Violation[]
}

/**
 * Converts a zone file to actions. Skips types that only the name server writes, with a warning.
 *
 * Throws `ZoneFileRefused` if the file has errors, and in mode `replace` unless it has exactly one
 * SOA record at the apex.
 */
export function importActions(
  apex: string,
  contents: ReducedContents,
  mode: ImportMode
): ZoneFileActions {
  const { problems } = contents
  if (problems.some(({ severity }) => severity === 'error')) {
    throw new ZoneFileRefused(capped(problems))
  }
  if (mode === 'replace') {
    checkSoa(apex, contents)
  }
  const rrsets = contents.rrsets.filter(({ type }) => !isOfServer(type))
  return {
    rrsets,
    actions: rrsets.map(({ name, type, ttl, records }) => ({
      op: 'set',
      name: `${name}.`,
      type,
      ttl,
      records,
      ...(contents.verbatim?.has(keyOf({ name, type })) && { isKnown: true }),
    })),
    warnings: [
      ...capped(problems).map((problem) => warningOf(apex, problem)),
      ...leftOut(contents),
    ],
  }
}

/** Limits problems that the parser does not count to the parser's limit. */
function capped(problems: ZoneFileProblem[]): ZoneFileProblem[] {
  let remaining = 0
  return problems.filter(
    ({ owner, stored }) =>
      (owner === undefined && stored === undefined) || ++remaining <= DEFAULT_LIMITS.problems
  )
}

/** Returns whether only the name server writes records of the type. */
export function isOfServer(type: string): boolean {
  return recordType(type)?.writer === 'server'
}

function checkSoa(apex: string, { records }: ZoneFileContents): void {
  const soaRecords = records.filter(
    ({ name, type, record }) => type === 'SOA' && name === apex && !record.disabled
  )
  // The parser drops a repeated equal SOA, as at the end of a transfer (RFC 5936).
  if (soaRecords.length !== 1) {
    const line = soaRecords[1]?.line ?? 1
    const message = `Field 'type': a file that replaces a zone must have exactly one SOA record at the apex ${apex}, found ${soaRecords.length}; mode merge accepts a file without one`
    throw new ZoneFileRefused([problemOn(line, 'type', message)])
  }
}

function warningOf(apex: string, { message }: ZoneFileProblem): Violation {
  return { rule: 'zone-file', severity: 'warning', name: apex, type: '', message }
}

/** One warning per type that only the name server writes. */
function leftOut({ records }: ZoneFileContents): Violation[] {
  const types = new Map<string, { count: number; line: number; name: string }>()
  for (const { type, line, name } of records.filter((record) => isOfServer(record.type))) {
    const typeCount = types.get(type)
    if (typeCount) typeCount.count++
    else types.set(type, { count: 1, line, name })
  }
  return Array.from(types, ([type, { count, line, name }]) => {
    const countText = count === 1 ? 'one record is' : `${count} records are`
    const message = `Line ${line}: ${type} is written only by the name server; ${countText} left out`
    return { rule: 'server-type', severity: 'warning' as const, name, type, message }
  })
}
