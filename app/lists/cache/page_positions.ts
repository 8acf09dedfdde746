import type { RowKey } from '#lists/row_key'
import { VersionedCache } from '#lists/cache/versioned_cache'

/**
 * Other tools write the tables of PowerDNS without notice. Only totals, page starts and matches of filters may be this
 * old, never the content of a row.
 */
export const CACHE_TTL_MS = 5_000
/** Lifetime of an entry as a multiple of the time that its computation took. */
export const TTL_PER_COMPUTE_TIME = 100
const MAX_LISTS = 500
const MAX_KEYS_PER_LIST = 200

interface ListPositions {
  total: number | null
  /** Counting stopped here: the list has more rows; 0 if it was not stopped. */
  countedUpTo: number
  /** Key of the first row, if finding it is expensive. */
  firstKey: RowKey | null
  /** Keys of the last rows before pages, by the position of the page's first row. */
  keys: Map<number, RowKey>
}

/**
 * Caches the lengths of lists and the keys at which their pages begin: a page far down costs as much as the first. An entry is
 * valid for one version of a list. Results are the same without entries.
 */
export class PagePositions extends VersionedCache<ListPositions> {
  constructor(now?: () => number) {
    const createEmpty = () => ({
      total: null,
      countedUpTo: 0,
      firstKey: null,
      keys: new Map<number, RowKey>(),
    })
    super(createEmpty, MAX_LISTS, CACHE_TTL_MS, now)
  }
}

/** Stores a key and evicts the oldest. A plain map: an `LRUCache` for each list costs 14 KB. */
export function storeKey(keys: Map<number, RowKey>, position: number, key: RowKey): void {
  keys.delete(position)
  keys.set(position, key)
  if (keys.size > MAX_KEYS_PER_LIST) {
    keys.delete(keys.keys().next().value!)
  }
}
