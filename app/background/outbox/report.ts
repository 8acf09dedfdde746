import type { OutboxRow } from '#background/outbox/store'

/** State of an event: not tried yet, failed and to be retried, leased by a worker, or abandoned. */
export type EventState = 'waiting' | 'failing' | 'in work' | 'given up'

/** An event in the output of `outbox:list`. Times are ISO 8601 in UTC. */
export interface ListedEvent {
  id: number
  kind: string
  zone: string
  zone_id: number | null
  state: EventState
  attempts: number
  created_at: string
  /** null for an abandoned event. */
  next_at: string | null
  last_error: string | null
}

/** Converts a row for the output of `outbox:list`. */
export function toListedEvent(row: OutboxRow, now: string): ListedEvent {
  return {
    id: Number(row.id),
    kind: row.kind,
    zone: row.zone_name,
    zone_id: row.zone_id,
    state: eventStateOf(row, now),
    attempts: Number(row.attempts),
    created_at: row.created_at,
    next_at: row.done_at === null ? row.next_at : null,
    last_error: row.last_error,
  }
}

function eventStateOf(row: OutboxRow, now: string): EventState {
  if (row.done_at !== null) {
    return 'given up'
  }
  if (row.leased_until !== null && row.leased_until > now) {
    return 'in work'
  }
  return row.attempts > 0 ? 'failing' : 'waiting'
}

const COLUMNS = ['ID', 'STATE', 'KIND', 'ZONE', 'ATTEMPTS', 'CREATED', 'NEXT', 'LAST ERROR']

const COLOURS: Partial<Record<EventState, number>> = { 'failing': 33, 'given up': 31 }

/** Formats events as a table with a heading. `hasColours` colours failures, for terminals. */
export function formatOutboxTable(events: ListedEvent[], hasColours: boolean): string {
  const rows = events.map((event) => [
    String(event.id),
    event.state,
    event.kind,
    event.zone,
    String(event.attempts),
    event.created_at,
    event.next_at ?? '-',
    event.last_error ?? '-',
  ])
  const widths = COLUMNS.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length))
  )
  const formatLine = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()
  const lines = rows.map((row, index) => {
    const colour = hasColours ? COLOURS[events[index].state] : undefined
    return colour === undefined ? formatLine(row) : `\u001b[${colour}m${formatLine(row)}\u001b[0m`
  })
  return [formatLine(COLUMNS), ...lines].join('\n')
}
