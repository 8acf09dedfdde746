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

/** Index of each entry that `recordItems` takes. */
export function placesOf(entries: { content?: string }[]): number[] {
  return [...entries.keys()].filter((index) => entries[index].content)
}

/** A member of an unchecked item for a message, as far as it is a text. */
export function textOf(item: unknown, member: string): string {
  const value = typeof item === 'object' && item !== null ? Reflect.get(item, member) : undefined
  return typeof value === 'string' ? value.slice(0, 100) : '?'
}
