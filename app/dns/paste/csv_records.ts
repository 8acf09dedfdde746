import { InvalidDns } from '#dns/errors'
import { ownerName } from '#dns/names'
import { shortTargetWarnings } from '#dns/names/short_targets'
import { canonicalRecord, recordType } from '#dns/records/registry'
import { parseTtl } from '#dns/rdata/ttl_text'
import { csvLine, csvRows, csvRowSteps, InvalidRow, type CsvRow } from '#dns/paste/csv'
import { csvLayout, LAYOUTS, type Columns } from '#dns/paste/csv_layout'
import { problemAt } from '#dns/zonefile/reading/faults'
import { isOutside } from '#dns/zonefile/reading/file_names'
import { OutsideRecords } from '#dns/zonefile/reading/problem_list'
import { RRsetCollector } from '#dns/zonefile/reading/gatherer'
import { TEXT_TYPES } from '#dns/zonefile/name_fields'
import { DEFAULT_LIMITS } from '#dns/zonefile/reading/limits'
import type { ZoneFileContents, ZoneFileRecord } from '#dns/zonefile/types'
import type { RecordData } from '#dns/types'

/** Exported rows may contain stored records that are invalid. */
const COLUMNS_OF_EXPORT = 6
const TRUE_WORDS = new Set(['1', 'yes', 'y', 'true', 'on', 'disabled'])
const FALSE_WORDS = new Set(['', '0', 'no', 'n', 'false', 'off', 'enabled'])

/**
 * Parses the records of a table in steps of one row. Names are relative, `@` or absolute; names
 * in contents are absolute with an optional final dot, or one label within the zone. An invalid row becomes an error at its line.
 *
 * @param apex canonical name of the zone
 * @param defaultTtl seconds, for rows without a TTL
 */
export function* csvSteps(
  text: string,
  apex: string,
  defaultTtl: number
): Generator<undefined, ZoneFileContents> {
  const gatherer = new RRsetCollector(apex)
  const layout = csvLayout(text)
  let errors = 0
  const complain = (line: number, field: string, message: string) => {
    errors++
    if (errors <= DEFAULT_LIMITS.problems) gatherer.add(problemAt({ line }, field, message))
  }
  if (!layout) {
    const allowed = `the columns are not recognised; allowed: ${LAYOUTS}`
    const { line, message } = wrongFirstRow(text) ?? { line: 1, message: allowed }
    complain(line, 'syntax', message)
    return yield* gatherer.steps()
  }
  const { columns, separator, hasHeader } = layout
  const outsideRecords = new OutsideRecords(apex)
  try {
    let isFirst = true
    for (const row of csvRowSteps(text, separator)) {
      yield
      if (!row) continue
      if (isFirst && hasHeader) {
        isFirst = false
        continue
      }
      isFirst = false
      try {
        const record = recordOf(row, columns, apex, defaultTtl)
        const { name, type } = record
        const contentCell = row.cells[columns.content ?? row.cells.length] ?? ''
        for (const { message } of shortTargetWarnings(apex, { name, type }, contentCell)) {
          gatherer.add(problemAt({ line: row.line }, 'content', message, 'warning'))
        }
        const isOfExport = hasHeader && row.cells.length === COLUMNS_OF_EXPORT
        gatherer.add(isOfExport ? { ...record, stored: csvLine(row.cells) } : record)
      } catch (error) {
        if (!(error instanceof InvalidDns)) throw error
        const name = row.cells[columns.name ?? row.cells.length] ?? ''
        if (error.field === 'name' && name.endsWith('.') && isOutside(name, apex)) {
          outsideRecords.add(problemAt({ line: row.line }, error.field, error.message))
          continue
        }
        if (!hasHeader || row.cells.length !== COLUMNS_OF_EXPORT) {
          complain(row.line, error.field, error.message)
          continue
        }
        const rowText = csvLine(row.cells)
        gatherer.add({
          ...problemAt({ line: row.line }, error.field, error.message),
          stored: rowText,
        })
      }
    }
  } catch (error) {
    if (!(error instanceof InvalidRow)) throw error
    complain(error.line, 'syntax', error.message)
  }
  outsideRecords.problems().forEach((problem) => gatherer.add(problem))
  return yield* gatherer.steps()
}

/** Returns the fault of the first row that hides the columns, such as an unclosed quote. */
function wrongFirstRow(text: string): InvalidRow | null {
  try {
    csvRows(text, ',').next()
    return null
  } catch (error) {
    if (!(error instanceof InvalidRow)) throw error
    return error
  }
}

function recordOf(
  { line, cells }: CsvRow,
  columns: Columns,
  apex: string,
  defaultTtl: number
): ZoneFileRecord {
  const cell = (column: keyof Columns) => cells[columns[column] ?? cells.length] ?? ''
  const name = ownerName(cell('name'), apex)
  const type = cell('type').toUpperCase()
  if (type === '') {
    throw new InvalidDns('type', '', 'the type of a record, such as A', { problem: 'is missing' })
  }
  const ttl = cell('ttl') === '' ? defaultTtl : parseTtl(cell('ttl'))
  const record = dataOf({ name, type, apex, disabled: isYes(cell('disabled')) }, cell)
  const comment = cell('comment')
  return {
    kind: 'record',
    line,
    name,
    type,
    ttl,
    record,
    ...(comment === '' ? {} : { comment: { above: [], inline: comment } }),
  }
}

/**
 * Returns the record. Its priority is in a separate cell, or in front of the content as in zone
 * files.
 */
function dataOf(
  about: { name: string; type: string; apex: string; disabled: boolean },
  cell: (column: 'content' | 'priority') => string
): RecordData {
  const content = quotedText(about.type, cell('content'))
  if (cell('priority') !== '') {
    return canonicalRecord({
      ...about,
      isTyped: true,
      content,
      priority: priorityOf(cell('priority')),
    })
  }
  try {
    return canonicalRecord({ ...about, isTyped: true, content, priority: 0 })
  } catch (error) {
    const [, number, rest] = /^(\d{1,5})\s+(.+)$/s.exec(content) ?? []
    if (!(error instanceof InvalidDns) || !recordType(about.type)?.priority || !number) {
      throw error
    }
    return canonicalRecord({ ...about, isTyped: true, content: rest, priority: priorityOf(number) })
  }
}

/** Quotes text that a user typed into a table without quotes. */
function quotedText(type: string, content: string): string {
  const isBare = TEXT_TYPES.has(type) && content !== '' && !content.startsWith('"')
  return isBare ? `"${content.replaceAll(/(?<!\\)"/g, '\\"')}"` : content
}

function priorityOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidDns('priority', text, 'a whole number from 0 to 65535')
  }
  return Number(text)
}

function isYes(text: string): boolean {
  const word = text.toLowerCase()
  if (!TRUE_WORDS.has(word) && !FALSE_WORDS.has(word)) {
    throw new InvalidDns('disabled', text, 'yes or no')
  }
  return TRUE_WORDS.has(word)
}
