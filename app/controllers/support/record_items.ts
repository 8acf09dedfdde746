import type { RemovedItem, RRsetItem } from '#changes/model/change_set'

/** Entries of an RRset in a request. Those without a content are ignored. */
export function recordItems(
  entries: { content?: string; priority?: number; disabled?: boolean; comment?: string }[]
): RRsetItem[] {
  return entries.flatMap(({ content, priority = 0, disabled = false, comment }) =>
    content ? [{ content, priority, disabled, ...(comment === undefined ? {} : { comment }) }] : []
  )
}

/** As `recordItems`, for removed records: no priority matches any. */
export function removedItems(entries: { content?: string; priority?: number }[]): RemovedItem[] {
  return entries.flatMap(({ content, priority }) => (content ? [{ content, priority }] : []))
}
