import { LRUCache } from 'lru-cache'

interface Entry<T> {
  version: string
  createdAt: number
  expiresAt: number
  value: T
}

/** Longest lifetime of an entry, regardless of its computation time. */
const MAX_TTL_MS = 60_000

/** Maximum memory of all entries. */
export interface MemoryLimit<T> {
  sizeOf(value: T): number
  maxBytes: number
}

/**
 * Caches computed values of lists, each for one version of its list and a limited time. Evicts the least recently used list
 * first.
 */
export class VersionedCache<T> {
  readonly #lists: LRUCache<string, Entry<T>>

  /**
   * @param createEmpty creates the value of a new entry
   * @param max   number of lists
   * @param ttlMs life of an entry
   * @param memoryLimit of all entries together; the caller calls `trim` after it has added to a value
   */
  constructor(
    private readonly createEmpty: () => T,
    max: number,
    private readonly ttlMs: number,
    private readonly now: () => number = () => performance.now(),
    private readonly memoryLimit?: MemoryLimit<T>
  ) {
    this.#lists = new LRUCache({ max })
  }

  /** Extends the lifetime of an entry to `ms` from now, up to a minute in all. Never shortens it. */
  extendTtl(list: string, ms: number): void {
    const entry = this.#lists.peek(list)
    if (!entry) return
    const expiresAt = Math.min(this.now() + ms, entry.createdAt + MAX_TTL_MS)
    entry.expiresAt = Math.max(entry.expiresAt, expiresAt)
  }

  /** The value of a list at this version; the caller can add to it. */
  get(list: string, version: string): T {
    const entry = this.#lists.get(list)
    const now = this.now()
    if (entry?.version === version && entry.expiresAt > now) {
      return entry.value
    }
    const value = this.createEmpty()
    this.#lists.set(list, { version, createdAt: now, expiresAt: now + this.ttlMs, value })
    return value
  }

  /** Evicts the lists used least recently until the others fit into the bound. */
  trim(): void {
    if (!this.memoryLimit) return
    let bytes = 0
    for (const [list, { value }] of [...this.#lists.entries()]) {
      const size = this.memoryLimit.sizeOf(value)
      if (bytes + size > this.memoryLimit.maxBytes) this.#lists.delete(list)
      else bytes += size
    }
  }
}
