import type { Detail } from '#audit/event'

/**
 * Which members differ, as the detail of an event tells it: `before` and `after` with these members only. null
 * where none does.
 */
export function changedMembers<Members extends Detail>(
  before: Members,
  after: Members
): { before: Detail; after: Detail } | null {
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  const only = (members: Detail) => Object.fromEntries(changed.map((name) => [name, members[name]]))
  return changed.length > 0 ? { before: only(before), after: only(after) } : null
}
