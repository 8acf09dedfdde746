import type { RemovedItem, RRsetItem } from '#changes/model/change_set'

/** Entries of an RRset as requests have them. Those without a content are left out. */
export function recordItems(
  entries: { content?: string; priority?: number; disabled?: boolean; comment?: string }[]
): RRsetItem[] {
  return entries.flatMap(({ content, priority = 0, disabled = false, comment }) =>
    content ? [{ content, priority, disabled, ...(comment === undefined ? {} : { comment }) }] : []
  )
}

/** As `recordItems`, of records that are to go: no priority means whatever priority they have. */
export function removedItems(entries: { content?: string; priority?: number }[]): RemovedItem[] {
  return entries.flatMap(({ content, priority }) => (content ? [{ content, priority }] : []))
}
