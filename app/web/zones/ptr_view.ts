import { displayName, shownOwner, type DisplayName } from '#web/page/display_name'
import type { PtrReport, PtrRow } from '#zones/records/missing_ptrs'

/** A PTR record that can be selected. */
export interface PtrRowView {
  /** Value of the field. */
  key: string
  host: DisplayName
  address: string
  zone: DisplayName | null
  names: string[]
  state: PtrRow['state']
  /** Whether it can be selected. */
  isOpen: boolean
  isTaken: boolean
}

/** Rows to create come first; correct ones are omitted. */
const STATE_ORDER: readonly PtrRow['state'][] = ['missing', 'differs', 'no-zone']

/**
 * The rows of a report that are not correct. Preselects those without a PTR record, and for several hosts of an address the
 * first.
 *
 * @param take keys of the ticked rows, one per line
 */
export function ptrRows({ rows }: PtrReport, apex: string, take?: string): PtrRowView[] {
  const selectedKeys = keysIn(take ?? '')
  const right = new Set(rows.filter(({ state }) => state === 'present').map(({ owner }) => owner))
  const first = new Set<string>()
  const changeableRows = rows.filter(({ state, owner }) => state !== 'present' && !right.has(owner))
  const views = changeableRows.map((row) => {
    const isFirst = !first.has(row.owner)
    first.add(row.owner)
    const key = keyOf(row)
    return {
      key,
      host: shownOwner(row.host, apex),
      address: row.address,
      zone: row.zone && displayName(row.zone.name),
      names: row.names,
      state: row.state,
      isOpen: row.zone !== null,
      isTaken: take !== undefined ? selectedKeys.has(key) : row.state === 'missing' && isFirst,
    }
  })
  return views.sort(
    (one, other) => STATE_ORDER.indexOf(one.state) - STATE_ORDER.indexOf(other.state)
  )
}

/** Returns the rows with the submitted keys. */
export function takenRows(rows: readonly PtrRow[], take: string): PtrRow[] {
  const keys = keysIn(take)
  return rows.filter((row) => row.zone !== null && keys.has(keyOf(row)))
}

function keysIn(take: string): Set<string> {
  return new Set(take.split('\n'))
}

function keyOf({ host, address }: PtrRow): string {
  return `${address} ${host}`
}
