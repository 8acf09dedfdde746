import type { RowKey } from '#lists/row_key'
import { VersionedCache } from '#lists/cache/versioned_cache'

/**
 * How long what is remembered may be believed without another look, in ms: other tools write PowerDNS' tables
 * without a word. Only totals, the borders of pages, and which rows a filter leaves of a large zone are as old as that, never what a row says.
 */
export const CACHE_TTL_MS = 5_000
/** What took long to find out is believed longer: for so many times as long as it took. */
export const BELIEVED_TIMES = 100
const MAX_LISTS = 500
const MAX_KEYS = 200

interface Remembered {
  total: number | null
  /** There are more rows than that, where they were counted no further. */
  beyond: number
  /** Key of the first row, where the way to it is long. */
  first: RowKey | null
  /** Keys of the last rows before pages, by the position of the page's first row. */
  keys: Map<number, RowKey>
}

/**
 * Remembers how long lists are and where their pages begin, so that a page far down costs what the first one
 * does. It holds for one version of a list, and is no more than a help: without it answers are the same.
 */
export class Positions extends VersionedCache<Remembered> {
  constructor(now?: () => number) {
    const blank = () => ({
      total: null,
      beyond: 0,
      first: null,
      keys: new Map<number, RowKey>(),
    })
    super(blank, MAX_LISTS, CACHE_TTL_MS, now)
  }
}

/** Remembers a key, and forgets the one that was remembered first when there are many. */
export function remember(keys: Map<number, RowKey>, position: number, key: RowKey): void {
  keys.delete(position)
  keys.set(position, key)
  if (keys.size > MAX_KEYS) {
    keys.delete(keys.keys().next().value!)
  }
}
