import { linesOfComment } from '#dns/record_comments'
import { recordType } from '#dns/records/registry'
import type { Violation } from '#dns/rules/violation'
import type { RecordData, RRset, RRsetChange } from '#dns/types'
import { printable, type Paint } from '#terminal/paint'

/** Warnings that people are shown; there may be one for each record. */
const SHOWN_WARNINGS = 50

/** What becomes of a zone, planned or done. */
export interface ShownChange {
  zoneName: string
  changes: RRsetChange[]
  serialBefore: number | null
  serialAfter: number | null
  warnings: Violation[]
}

/** The planned changes of a zone as lines: RRsets, counts, serials and warnings. */
export function planLines(shown: ShownChange, paint: Paint): string[] {
  const { zoneName, changes, serialBefore, serialAfter, warnings } = shown
  return [
    ...changeLines(changes, paint),
    `Zone ${zoneName}: ${countsOf(changes)}`,
    serialBefore === serialAfter
      ? `Serial: ${serialBefore ?? 'none'}, stays`
      : `Serial: ${serialBefore ?? 'none'} -> ${serialAfter ?? 'none'}`,
    ...warningLines(warnings).map((line) => paint('changed', line)),
  ]
}

function warningLines(warnings: Violation[]): string[] {
  const lines = warnings.map(({ message }) => `Warning: ${printable(message)}`)
  const more = lines.length - SHOWN_WARNINGS
  return more > 0
    ? [...lines.slice(0, SHOWN_WARNINGS), `Warning: ${more} more; --json prints all of them`]
    : lines
}

/**
 * The changes of RRsets: `+` lines for records of one that is new, `-` lines for one that goes, and a `~`
 * line for one that stays, with the records that come and go below it.
 */
export function changeLines(changes: RRsetChange[], paint: Paint): string[] {
  return changes.flatMap((change) => {
    const { before, after } = change
    if (before && after) {
      return [...changedLines(before, after, paint), ...commentChangeLines(change, paint)]
    }
    const [sign, colour] = after ? (['+', 'added'] as const) : (['-', 'removed'] as const)
    const set = after ?? before
    const head = set ? `${set.name} ${set.ttl} ${set.type}` : `${change.name} ${change.type}`
    const records = set?.records ?? []
    const lines = records.map((record) =>
      paint(colour, `${sign} ${head} ${recordText(change.type, record)}`)
    )
    return [...lines, ...commentChangeLines(change, paint)]
  })
}

/** Changed comments on records. */
function commentChangeLines({ comments = [] }: RRsetChange, paint: Paint): string[] {
  return comments.map(({ content, before, after }) => {
    const [old, wanted] = [before, after].map((comment) => JSON.stringify(linesOfComment(comment)))
    return paint(
      'note',
      `    comment on ${printable(content)}: ${printable(`${old} -> ${wanted}`)}`
    )
  })
}

function changedLines(before: RRset, after: RRset, paint: Paint): string[] {
  const { name, type } = after
  const ttl = before.ttl === after.ttl ? `${after.ttl}` : `${before.ttl} -> ${after.ttl}`
  const [old, wanted] = [before, after].map((set) =>
    set.records.map((record) => recordText(type, record))
  )
  const [gone, added] = [without(old, wanted), without(wanted, old)]
  return [
    paint('changed', `~ ${name} ${ttl} ${type}`),
    ...gone.map((text) => paint('removed', `    - ${text}`)),
    ...added.map((text) => paint('added', `    + ${text}`)),
  ]
}

/** As in a zone file. */
function recordText(type: string, { content, priority, disabled }: RecordData): string {
  const before = recordType(type)?.priority ? `${priority} ` : ''
  const after = disabled ? ' (disabled)' : ''
  return `${before}${printable(content)}${after}`
}

function without(texts: string[], others: string[]): string[] {
  const known = new Set(others)
  return texts.filter((text) => !known.has(text))
}

/** How many RRsets come, change and go, in words. */
export function countsOf(changes: RRsetChange[]): string {
  if (changes.length === 0) {
    return 'no difference'
  }
  const count = (wanted: (change: RRsetChange) => boolean) => changes.filter(wanted).length
  const counts: [number, string][] = [
    [count(({ before }) => before === null), 'added'],
    [count(({ before, after }) => before !== null && after !== null), 'changed'],
    [count(({ after }) => after === null), 'removed'],
  ]
  const parts = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
  return `${changes.length} RRset${changes.length > 1 ? 's' : ''} (${parts.join(', ')})`
}
