import type { Detail } from '#audit/event'

/** Returns the changed members as audit detail, `before` and `after`; null without a change. */
export function changedMembers<Members extends Detail>(
  before: Members,
  after: Members
): { before: Detail; after: Detail } | null {
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  const pickChanged = (members: Detail) =>
    Object.fromEntries(changed.map((name) => [name, members[name]]))
  return changed.length > 0 ? { before: pickChanged(before), after: pickChanged(after) } : null
}
