import type { RowKey } from '#lists/row_key'

/**
 * How long what is remembered may be believed without another look, in ms: other tools write PowerDNS' tables
 * without a word. Only totals and the borders of pages are as old as that, never what a row says.
 */
const BELIEVED_MS = 5_000
const MAX_LISTS = 500
const MAX_KEYS = 200

interface Remembered {
  version: string
  until: number
  total: number | null
  /** Keys of the last rows before pages, by the position of the page's first row. */
  keys: Map<number, RowKey>
}

/**
 * Remembers how long lists are and where their pages begin, so that a page far down costs what the first one
 * does. It holds for one version of a list, and is no more than a help: without it answers are the same.
 */
export class Positions {
  readonly #lists = new Map<string, Remembered>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** What is known of a list at this version; nothing at first. Kept for the lists that were asked for last. */
  of(list: string, version: string): Remembered {
    const known = this.#lists.get(list)
    const isGood = known?.version === version && known.until > this.now()
    const remembered = isGood
      ? known
      : { version, until: this.now() + BELIEVED_MS, total: null, keys: new Map<number, RowKey>() }
    this.#lists.delete(list)
    this.#lists.set(list, remembered)
    if (this.#lists.size > MAX_LISTS) {
      this.#lists.delete(this.#lists.keys().next().value!)
    }
    return remembered
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
