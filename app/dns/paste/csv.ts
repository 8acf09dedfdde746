/** A row of a CSV text. */
export interface CsvRow {
  /** Line at which it starts, from 1. */
  line: number
  cells: string[]
}

/** A row that cannot be read, which ends the iteration. */
export class InvalidRow extends Error {
  constructor(
    readonly line: number,
    message: string
  ) {
    super(message)
  }
}

/** Cells of a row at most: tables of records have up to seven, and other columns are ignored. */
const MAX_CELLS = 1_000
/** Empty rows after which a pause is due. */
const EMPTY_ROWS_BATCH_SIZE = 100

/** Allowed separators of cells. */
export const SEPARATORS = [',', ';'] as const

export type Separator = (typeof SEPARATORS)[number]

/**
 * Parses CSV rows (RFC 4180); quoted cells write a quote as "". Trims unquoted cells, removes the
 * apostrophe of `csvLine`, and skips empty rows.
 *
 * @throws WrongRow during the iteration, for an unclosed quote and for more than 1000 cells
 */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow> {
  for (const row of csvRowSteps(text, separator)) if (row) yield row
}

/** As `csvRows`, in steps of bounded length: many empty rows yield undefined. */
export function* csvRowSteps(text: string, separator: Separator): Generator<CsvRow | undefined> {
  let line = 1
  let emptyRows = 0
  let position = 0
  while (position < text.length) {
    const start = line
    const cells: string[] = []
    for (;;) {
      const cell = readCell(text, position, separator, start)
      cells.push(withoutGuard(cell.text))
      if (cells.length > MAX_CELLS) {
        throw new InvalidRow(
          start,
          `has more than ${MAX_CELLS} cells; allowed: at most ${MAX_CELLS}`
        )
      }
      line += cell.lines
      position = cell.end
      if (text[position] !== separator) break
      position++
    }
    position += text.startsWith('\r\n', position) ? 2 : 1
    line++
    if (cells.some((cell) => cell !== '')) {
      yield { line: start, cells }
    } else if (++emptyRows % EMPTY_ROWS_BATCH_SIZE === 0) {
      yield undefined
    }
  }
}

interface ParsedCell {
  text: string
  /** Index of the separator or line break after the cell. */
  end: number
  /** Line breaks within the cell. */
  lines: number
}

function readCell(text: string, from: number, separator: Separator, line: number): ParsedCell {
  let position = from
  while (text[position] === ' ' || text[position] === '\t') position++
  if (text[position] !== '"') {
    const end = endOfCell(text, position, separator)
    return { text: text.slice(position, end).trimEnd(), end, lines: 0 }
  }
  let value = ''
  position++
  for (;;) {
    const quote = text.indexOf('"', position)
    if (quote === -1) throw new InvalidRow(line, 'has a quote that is not closed')
    value += text.slice(position, quote)
    position = quote + 1
    if (text[position] !== '"') break
    value += '"'
    position++
  }
  const end = endOfCell(text, position, separator)
  const lines = value.split('\n').length - 1
  // Text after the closing quote belongs to the cell, because users quote parts of a cell.
  return { text: value + text.slice(position, end).trimEnd(), end, lines }
}

function endOfCell(text: string, from: number, separator: Separator): number {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end++
  return text[end] === '\n' && text[end - 1] === '\r' && end > from ? end - 1 : end
}

/**
 * A text that spreadsheets would evaluate as a formula. `@` alone and negative numbers are no
 * formulas.
 */
const FORMULA = /^'*(?:[=+\t\r]|-(?!\d+$)|@.)/s

/**
 * Returns a CSV row, with quotes where needed. A formula gets a leading apostrophe, which `csvRows`
 * removes.
 */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => quoted(withoutFormula(cell ?? ''))).join(',')}\r\n`
}

function withoutFormula(cell: string | number): string {
  return typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell)
}

function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

function quoted(cell: string): string {
  return /[",\r\n;]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
