/** Returns a Markdown table with aligned columns, as prettier formats it. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[]
): string {
  const cells = [heading, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = heading.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [cells[0], rule, ...cells.slice(1)].map(line).join('\n')
}

/** A value as inline code; '' for an empty text. */
export function code(text: string): string {
  return text === '' ? 'empty' : `\`${text}\``
}
