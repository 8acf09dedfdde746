import type { JobReport } from '#background/scheduler/report'
import type { Run } from '#background/scheduler/runs'
import { printable } from '#terminal/paint'

/** Jobs as aligned columns. */
export function jobLines(jobs: JobReport[]): string[] {
  const rows = jobs.map(({ name, cron, timezone, next_run_at: next, failures, last_run: last }) => [
    name,
    cron === null ? 'off' : `${cron} (${timezone})`,
    next ?? '-',
    last ? (last.started_at ?? last.due_at) : '-',
    last ? last.outcome : '-',
    String(failures),
  ])
  return tableLines(['JOB', 'WHEN', 'NEXT', 'LAST', 'OUTCOME', 'FAILURES'], rows)
}

/** Runs as aligned columns; with `hasOutput`, what each wrote below it. */
export function runLines(runs: Run[], hasOutput: boolean): string[] {
  const [heading, ...lines] = tableLines(
    ['RUN', 'JOB', 'DUE', 'CAUSE', 'STARTED', 'ENDED', 'OUTCOME', 'MISSED', 'NODE'],
    runs.map((run) => [
      String(run.id),
      run.job,
      run.due_at,
      run.cause,
      run.started_at ?? '-',
      run.ended_at ?? '-',
      run.outcome,
      String(run.missed),
      run.node ?? '-',
    ])
  )
  const rows = runs.flatMap(({ output }, index) => {
    const written = hasOutput && output !== null ? output.split('\n') : []
    return [lines[index], ...written.map((line) => `    ${printable(line)}`)]
  })
  return [heading, ...rows]
}

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
