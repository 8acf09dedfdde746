import type { JournalRow } from '#changes/model/journal_entry'
import type { RRsetChange } from '#dns/types'
import { printable, type Paint } from '#terminal/paint'
import { changeLines } from '#terminal/plan_text'

/** The lines of a journal entry: number, time, who, serials and origin; then why, and what it changed. */
export function entryLines(
  entry: JournalRow,
  changes: RRsetChange[] | null,
  paint: Paint
): string[] {
  const { reason, zoneBefore, zoneAfter } = entry
  const head = [
    `entry ${entry.entry}`,
    entry.time,
    `${printable(entry.username)} (${entry.channel})`,
    `serial ${entry.serialBefore ?? 'none'} -> ${entry.serialAfter ?? 'none'}`,
    ...(entry.originKind ? [`${entry.originKind} ${printable(entry.originId ?? '')}`.trim()] : []),
    ...(zoneBefore || zoneAfter ? [zoneWord(entry)] : []),
  ]
  return [
    head.join('  '),
    ...(reason ? [paint('note', `    ${printable(reason)}`)] : []),
    ...changeLines(changes ?? [], paint).map((line) => `  ${line}`),
  ]
}

function zoneWord({ zoneBefore, zoneAfter }: JournalRow): string {
  if (!zoneBefore) return 'zone made'
  if (!zoneAfter) return 'zone deleted'
  const { metadata = {}, ...properties } = zoneAfter
  const kinds = Object.keys(metadata).map((kind) => `metadata ${printable(kind)}`)
  return `properties ${[...Object.keys(properties), ...kinds].join(', ')}`
}
