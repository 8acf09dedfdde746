/** A row of a table in text. */
export interface CsvRow {
  /** Line it starts on, from 1. */
  line: number
  cells: string[]
}

/** The row at which a quote is open that never closes. */
export class OpenQuote extends Error {
  constructor(readonly line: number) {
    super('has a quote that is not closed')
  }
}

/** What may stand between the cells of a row. */
export const SEPARATORS = [',', ';'] as const

export type Separator = (typeof SEPARATORS)[number]

/**
 * The rows of a table (RFC 4180), whose cells may be in double quotes, with "" for a quote. Cells lose the blanks around
 * them, unless these are quoted, and the apostrophe of `csvLine`; rows without any text are left out.
 *
 * @throws OpenQuote while it is read
 */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow> {
  let line = 1
  let at = 0
  while (at < text.length) {
    const start = line
    const cells: string[] = []
    for (;;) {
      const cell = readCell(text, at, separator, start)
      cells.push(withoutGuard(cell.text))
      line += cell.lines
      at = cell.end
      if (text[at] !== separator) break
      at++
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    line++
    if (cells.some((cell) => cell !== '')) {
      yield { line: start, cells }
    }
  }
}

interface Cell {
  text: string
  /** Where the separator or the line break behind it stands. */
  end: number
  /** Line breaks inside of it. */
  lines: number
}

function readCell(text: string, from: number, separator: Separator, line: number): Cell {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  if (text[at] !== '"') {
    const end = endOfCell(text, at, separator)
    return { text: text.slice(at, end).trimEnd(), end, lines: 0 }
  }
  let value = ''
  at++
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new OpenQuote(line)
    value += text.slice(at, quote)
    at = quote + 1
    if (text[at] !== '"') break
    value += '"'
    at++
  }
  const end = endOfCell(text, at, separator)
  const lines = value.split('\n').length - 1
  // What follows the quote belongs to the cell: people quote only a part at times.
  return { text: value + text.slice(at, end).trimEnd(), end, lines }
}

function endOfCell(text: string, from: number, separator: Separator): number {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end++
  return text[end] === '\n' && text[end - 1] === '\r' && end > from ? end - 1 : end
}

/** A text that spreadsheets would calculate; the apex `@` alone and numbers below zero are none. */
const FORMULA = /^'*(?:[=+\t\r]|-(?!\d+$)|@.)/s

/**
 * A row of cells, each in quotes where it has to be. A text that is a formula for spreadsheets gets an apostrophe in
 * front, which `csvRows` takes away again.
 */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => quoted(plain(cell ?? ''))).join(',')}\r\n`
}

function plain(cell: string | number): string {
  return typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell)
}

function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

function quoted(cell: string): string {
  return /[",\r\n;]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
