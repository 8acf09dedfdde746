import type { RecordAction } from '#changes/model/change_set'
import { recordType } from '#dns/records/registry'
import type { RecordData, RRset, RRsetChange } from '#dns/types'

/**
 * The action that sets an RRset and its comments to their state in the journal. `before` is the
 * required current state: if it differs, the change fails with `StateChanged`.
 */
export function buildRestoringAction({
  name,
  type,
  before,
  after,
  comments,
}: RRsetChange): RecordAction {
  const actionKey = {
    name: `${name}.`,
    type,
    isKnown: true,
    from: before,
    ...(comments ? { comments } : {}),
  }
  return after
    ? { op: 'set', ...actionKey, ttl: after.ttl, records: after.records }
    : { op: 'clear', ...actionKey }
}

/**
 * Reverses a change of an RRset that was changed again later. Records that the change added are
 * removed, records that it removed are added, all others stay.
 *
 * @param change the change to reverse
 * @param current the current RRset
 * @returns the RRset after the undo, null for none, 'conflict' if a later change replaced the same
 *   records
 */
export function undoInCurrent(
  change: RRsetChange,
  current: RRset | null
): RRset | null | 'conflict' {
  const { name, type, before, after } = change
  const added = recordsWithout(after, before)
  const removed = recordsWithout(before, after)
  const isReplacedAgain =
    removed.length > 0 && recordsWithout({ records: added }, current).length > 0
  const remaining = recordsWithout(current, { records: added })
  const records = [...remaining, ...recordsWithout({ records: removed }, { records: remaining })]
  if (isReplacedAgain) {
    return 'conflict'
  }
  if (records.length === 0) {
    return null
  }
  const ttl = mergedTtl([before?.ttl, after?.ttl, current?.ttl])
  const exceedsSingleton = records.length > 1 && (recordType(type)?.singleton ?? false)
  const hasDuplicate = new Set(records.map(valueOf)).size < records.length
  return ttl === null || exceedsSingleton || hasDuplicate
    ? 'conflict'
    : { name, type, ttl, records }
}

/** The TTL in seconds after the undo; null if the change and a later one set different TTLs. */
function mergedTtl([before, after, current]: (number | undefined)[]): number | null {
  if (current === undefined || current === after) {
    return before ?? after ?? current ?? null
  }
  return before === after || before === undefined || before === current ? current : null
}

type Records = { records: RecordData[] } | null

function recordsWithout(set: Records, other: Records): RecordData[] {
  const removedIdentities = new Set(other?.records.map(identityOf))
  return (set?.records ?? []).filter((record) => !removedIdentities.has(identityOf(record)))
}

function valueOf({ content, priority }: RecordData): string {
  return JSON.stringify([priority, content])
}

function identityOf({ content, priority, disabled }: RecordData): string {
  return JSON.stringify([priority, disabled, content])
}
