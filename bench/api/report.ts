import { figure, goalsReached } from './goals.ts'
import type { Line } from './run_cell.ts'

/** Formats a Markdown table with aligned columns. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((word, i) => Math.max(word.length, ...rows.map((row) => row[i].length)))
  const line = (words: string[]) =>
    `| ${words.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const HEAD = [
  'request',
  'connections',
  'size',
  'requests',
  'p50 / p99',
  'first time p50 / worst',
  'rows',
  'memory',
  'x bare SQL',
  'growth p50 / p99',
  'remark',
]

/** All results, sorted so that sizes of a cell are adjacent. */
export function measured(lines: Line[]): string {
  const families = [...new Set(lines.map(({ family }) => family))]
  const sorted = families.flatMap((family) => {
    const mine = lines.filter((line) => line.family === family)
    return mine.toSorted((one, other) => one.connections - other.connections)
  })
  return table(HEAD, sorted.map(cells))
}

function cells(line: Line): string[] {
  const { cell, connections, size, growth, bare, bareHttp, fresh, note } = line
  if (line.requests === 0) return [cell, '', size, '-', '', '', '', '', '', '', note]
  const remarks = [
    bareHttp === null ? '' : `${figure(bareHttp)} of bare HTTP`,
    line.bytes > 1_000_000
      ? `${figure(line.bytes / 1e6)} MB, first byte ${figure(line.first)} ms`
      : '',
    note,
  ]
  return [
    cell,
    String(connections),
    size,
    `${figure(line.rate)}/s`,
    `${figure(line.p50)} / ${figure(line.p99)} ms`,
    fresh === null ? '' : `${figure(fresh.p50)} / ${figure(fresh.worst)} ms`,
    `${Math.round(line.rows)}/s`,
    `${Math.round(line.before)} + ${Math.round(line.grown)} MiB`,
    bare === null ? '' : figure(bare),
    growth === null ? '' : `${figure(growth.p50)} / ${figure(growth.p99)}`,
    remarks.filter(Boolean).join('; '),
  ]
}

/** Goals with the results of the compared product and of this product. */
export function goals(lines: Line[]): string {
  const rows = goalsReached(lines).map(({ request, peer, goal, here, isMet }) => [
    request,
    peer,
    goal,
    here,
    isMet === null ? '' : isMet ? 'met' : 'missed',
  ])
  return table(['request', 'peer, 1 k / 100 k zones', 'goal at any size', 'here, worst', ''], rows)
}

/** Sets the growth of each line against the smallest size of its family. */
export function addGrowth(lines: Line[]): void {
  for (const line of lines) {
    const first = lines.find(
      ({ family, connections, requests }) =>
        family === line.family && connections === line.connections && requests > 0
    )
    if (!first || first === line || line.requests === 0) continue
    line.growth = { p50: line.p50 / first.p50, p99: line.p99 / first.p99 }
  }
}
