/** Rows of text as lines of aligned columns under a heading; what a terminal would obey becomes `?`. */
export function tableLines(heading: string[], cells: string[][]): string[] {
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, '?')))
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length))
  )
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()
  )
}
