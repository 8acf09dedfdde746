import { LRUCache } from 'lru-cache'

interface Entry<T> {
  version: string
  since: number
  until: number
  value: T
}

/** Longest life of an entry, however long it took to compute. */
const MAX_TTL_MS = 60_000

/** Maximum memory of all entries. */
export interface MemoryBound<T> {
  of(value: T): number
  most: number
}

/**
 * Caches computed values of lists, each for one version of its list and a limited time. Evicts the least recently used list
 * first.
 */
export class VersionedCache<T> {
  readonly #lists: LRUCache<string, Entry<T>>

  /**
   * @param blank creates the value of a new entry
   * @param max   number of lists
   * @param ttlMs life of an entry
   * @param bound of all entries together; the caller calls `trim` after it has added to a value
   */
  constructor(
    private readonly blank: () => T,
    max: number,
    private readonly ttlMs: number,
    private readonly now: () => number = () => performance.now(),
    private readonly bound?: MemoryBound<T>
  ) {
    this.#lists = new LRUCache({ max })
  }

  /** Extends the life of an entry to so many ms from now, up to a minute in all. Never shortens it. */
  extendTtl(list: string, ms: number): void {
    const known = this.#lists.peek(list)
    if (!known) return
    const until = Math.min(this.now() + ms, known.since + MAX_TTL_MS)
    known.until = Math.max(known.until, until)
  }

  /** The value of a list at this version; the caller can add to it. */
  of(list: string, version: string): T {
    const known = this.#lists.get(list)
    const now = this.now()
    if (known?.version === version && known.until > now) {
      return known.value
    }
    const value = this.blank()
    this.#lists.set(list, { version, since: now, until: now + this.ttlMs, value })
    return value
  }

  /** Evicts the lists used least recently until the others fit into the bound. */
  trim(): void {
    if (!this.bound) return
    let bytes = 0
    for (const [list, { value }] of [...this.#lists.entries()]) {
      const size = this.bound.of(value)
      if (bytes + size > this.bound.most) this.#lists.delete(list)
      else bytes += size
    }
  }
}
