interface Kept<T> {
  version: string
  since: number
  until: number
  value: T
}

/** However long something took to find out, it is believed no longer, in ms. */
const MOST_BELIEVED_MS = 60_000

/** How much memory what is known may take, in bytes. */
export interface MemoryBound<T> {
  of(value: T): number
  most: number
}

/**
 * Keeps what was found out about lists, each for one version of the list and for a while. The lists that were asked
 * for last are kept.
 */
export class VersionedCache<T> {
  readonly #lists = new Map<string, Kept<T>>()

  /**
   * @param blank what is known of a list at first
   * @param most  lists that are kept
   * @param ms    how long what is known is believed without another look
   * @param bound of all lists together; whoever adds to what is known calls `trim`
   */
  constructor(
    private readonly blank: () => T,
    private readonly most: number,
    private readonly ms: number,
    private readonly now: () => number = () => performance.now(),
    private readonly bound?: MemoryBound<T>
  ) {}

  /** Believes what is known of a list for so long from now on, in ms, if that is longer; for a minute in all. */
  believe(list: string, ms: number): void {
    const known = this.#lists.get(list)
    if (!known) return
    const until = Math.min(this.now() + ms, known.since + MOST_BELIEVED_MS)
    known.until = Math.max(known.until, until)
  }

  /** What is known of a list at this version; it can be added to. */
  of(list: string, version: string): T {
    const known = this.#lists.get(list)
    const isGood = known?.version === version && known.until > this.now()
    const now = this.now()
    const kept = isGood ? known : { version, since: now, until: now + this.ms, value: this.blank() }
    this.#lists.delete(list)
    this.#lists.set(list, kept)
    if (this.#lists.size > this.most) {
      this.#lists.delete(this.#lists.keys().next().value!)
    }
    return kept.value
  }

  /** Forgets lists until the others take no more memory than they may: first those that were not asked for lately. */
  trim(): void {
    if (!this.bound) return
    let bytes = 0
    for (const [list, { value }] of [...this.#lists].reverse()) {
      const own = this.bound.of(value)
      if (bytes + own > this.bound.most) this.#lists.delete(list)
      else bytes += own
    }
  }
}
