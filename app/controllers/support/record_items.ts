import { InvalidDns } from '#dns/errors'
import type { RemovedItem, RRsetItem } from '#changes/model/change_set'

/**
 * Entries of an RRset in a request. Those without a content are ignored, in the plan also those with
 * an empty one, unless it is stored.
 */
export function recordItems(
  entries: { content?: string; priority?: number; disabled?: boolean; comment?: string }[]
): RRsetItem[] {
  return entries.flatMap(({ content, priority = 0, disabled = false, comment }) =>
    content !== undefined
      ? [{ content, priority, disabled, ...(comment === undefined ? {} : { comment }) }]
      : []
  )
}

/**
 * The errors of entries without a content, by their index. Such entries are ignored, but have the
 * form of others: a priority out of range is an error.
 */
export function ignoredErrors(
  entries: { content?: string; priority?: number }[]
): Map<number, InvalidDns> {
  const errors = new Map<number, InvalidDns>()
  for (const [index, { content, priority = 0 }] of entries.entries()) {
    if (content === undefined && (priority < 0 || priority > 65_535)) {
      errors.set(index, new InvalidDns('priority', String(priority), '0 to 65535'))
    }
  }
  return errors
}

/** As `recordItems`. Throws the first of `ignoredErrors`. */
export function checkedRecordItems(entries: Parameters<typeof recordItems>[0]): RRsetItem[] {
  for (const error of ignoredErrors(entries).values()) throw error
  return recordItems(entries)
}

/** As `recordItems`, for removed records: no priority matches any. */
export function removedItems(entries: { content?: string; priority?: number }[]): RemovedItem[] {
  return entries.flatMap(({ content, priority }) =>
    content !== undefined ? [{ content, priority }] : []
  )
}

/** Returns whether entries of an action have a content: an empty one can only be stored already. */
export function hasEntry(op: string, items: RRsetItem[]): boolean {
  return items.some(({ content }) => op !== 'add' || content !== '')
}

/** Returns the index of each entry that `recordItems` uses. */
export function placesOf(entries: { content?: string }[]): number[] {
  return [...entries.keys()].filter((index) => entries[index].content !== undefined)
}

/** Returns a member of an unchecked item for a message, if it is a text. */
export function textOf(item: unknown, member: string): string {
  const value = typeof item === 'object' && item !== null ? Reflect.get(item, member) : undefined
  return typeof value === 'string' ? value.slice(0, 100) : '?'
}
