import { presentContent } from '#dns/records/registry'
import type { RRset } from '#dns/types'
import type { requestItem } from '#transformers/change_request'
import type { DiffLine } from '#web/plans/plan_view'

/** A filed action of a change request, for display. */
export interface ActionView {
  index: number
  op: string
  /** The RRset of the action; null for the zone as a whole. */
  place: { name: string; type: string } | null
  zoneId: number | null
  /** The former and the requested records, as lines of a zone file. */
  lines: DiffLine[]
  isCut: boolean
  isStale: boolean
  /** The current records of the RRset of a stale action; null if unknown or not requested. */
  now: DiffLine[] | null
  /** The action had no effect when its baseline was stored. */
  isDone: boolean
  comment: string
}

/** An action of the API; its members depend on the request. */
interface Item {
  op: string
  zone_id?: number
  name?: string
  type?: string
  ttl?: number
  before?: ItemRecord | ItemSet | null
  after?: ItemRecord
  records?: ItemValue[]
  done?: boolean
}
interface ItemValue {
  content: string
  priority: number
  disabled: boolean | number
}
interface ItemRecord {
  name: string
  type: string
  content: string
  ttl: number
  prio: number
  disabled: boolean | number
  comment?: string
}
interface ItemSet {
  ttl?: number
  records: ItemValue[]
}

/** Maximum actions per page, and maximum lines per action. */
export const MAX_ACTIONS = 200
const MAX_LINES = 100

/** The first actions of a request, with those staleActions that are stale. */
export function actionViews(
  { actions }: Pick<ReturnType<typeof requestItem>, 'actions'>,
  stale: readonly number[],
  now: ReadonlyMap<number, RRset | null> = new Map()
): ActionView[] {
  const staleActions = new Set(stale)
  return actions.slice(0, MAX_ACTIONS).map((action, index) => {
    const item = action as Item
    const lines = linesOf(item)
    const record = item.after ?? (isRecord(item.before) ? item.before : undefined)
    const name = item.name ?? record?.name
    const type = item.type ?? record?.type
    return {
      index,
      op: item.op,
      place: name === undefined || type === undefined ? null : { name, type },
      zoneId: item.zone_id ?? null,
      lines: lines.slice(0, MAX_LINES),
      isCut: lines.length > MAX_LINES,
      isStale: staleActions.has(index),
      now: now.has(index) ? linesNow(now.get(index) ?? null) : null,
      isDone: item.done === true,
      comment: item.after?.comment ?? '',
    }
  })
}

function linesNow(set: RRset | null): DiffLine[] {
  return (set?.records ?? []).slice(0, MAX_LINES).map(({ content, priority, disabled }) => {
    const value = { content: presentContent(set!.type, content), priority, disabled }
    return line(' ', setText(set!, set!.ttl, value))
  })
}

function linesOf(item: Item): DiffLine[] {
  const { op, before, after, records = [] } = item
  if (isRecord(before) || after) {
    return [
      ...(isRecord(before) ? [line('-', recordText(before))] : []),
      ...(after ? [line('+', recordText(after))] : []),
    ]
  }
  const rrsetKey = { name: item.name ?? '', type: item.type ?? '' }
  const oldLines = (before?.records ?? []).map((value) => setText(rrsetKey, before?.ttl, value))
  const requestedLines = records.map((value) => setText(rrsetKey, item.ttl, value))
  switch (op) {
    case 'set':
      return [
        ...oldLines.filter((text) => !requestedLines.includes(text)).map((text) => line('-', text)),
        ...requestedLines.filter((text) => !oldLines.includes(text)).map((text) => line('+', text)),
        ...requestedLines.filter((text) => oldLines.includes(text)).map((text) => line(' ', text)),
      ]
    case 'add':
      return requestedLines.map((text) => line('+', text))
    case 'remove':
      return requestedLines.map((text) => line('-', text))
    default:
      return oldLines.map((text) => line('-', text))
  }
}

function isRecord(before: Item['before']): before is ItemRecord {
  return before !== null && before !== undefined && 'content' in before
}

function line(sign: DiffLine['sign'], text: string): DiffLine {
  return { sign, text }
}

function recordText({ name, type, content, ttl, prio, disabled }: ItemRecord): string {
  return setText({ name, type }, ttl, { content, priority: prio, disabled })
}

function setText(
  { name, type }: { name: string; type: string },
  ttl: number | undefined,
  { content, priority, disabled }: ItemValue
): string {
  const rest = [ttl, type, priority > 0 ? priority : undefined, content]
  const text = [name, ...rest.filter((part) => part !== undefined)].join('  ')
  return disabled ? `; ${text}` : text
}
