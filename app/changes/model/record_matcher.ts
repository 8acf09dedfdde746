import type { BackendZone } from '#backends/contract/backend'
import type { RemovedItem, RRsetItem } from '#changes/model/change_set'
import { ifValid } from '#dns/errors'
import { canonicalRecord } from '#dns/records/registry'
import type { RecordData, RRsetKey } from '#dns/types'

type PooledItem = Pick<RRsetItem, 'content' | 'isTyped' | 'priority'>

/** The stored records of an RRset, which actions take by content. */
export class RecordPool {
  readonly #remaining = new Set<RecordData>()
  readonly #byContent = new Map<string, RecordData[]>()
  /** Priorities of the records of a content, including taken ones. */
  readonly #priorities = new Map<string, Set<number>>()

  constructor(
    private readonly zone: Pick<BackendZone, 'name'>,
    private readonly key: RRsetKey,
    records: RecordData[]
  ) {
    records.forEach((record) => this.add(record))
  }

  /** Number of records left. */
  get size(): number {
    return this.#remaining.size
  }

  add(record: RecordData): void {
    const { content, priority } = record
    const sameContent = this.#byContent.get(contentKey(record))
    if (sameContent) sameContent.push(record)
    else this.#byContent.set(contentKey(record), [record])
    const priorities = this.#priorities.get(content)
    if (priorities) priorities.add(priority)
    else this.#priorities.set(content, new Set([priority]))
    this.#remaining.add(record)
  }

  /** Takes this record object; false if it was taken before. */
  takeObject(record: RecordData): boolean {
    const sameContent = this.#byContent.get(contentKey(record))
    const wasRemaining = this.#remaining.delete(record)
    if (wasRemaining) sameContent?.splice(sameContent.indexOf(record), 1)
    return wasRemaining
  }

  /** Takes the record that matches an item as written, else in canonical form. */
  takeMatch(item: PooledItem): RecordData | undefined {
    return this.takeStored(item) ?? this.takeStored(this.#canonical(item))
  }

  /** Takes the record with exactly this stored content. */
  takeStored(item: Pick<RRsetItem, 'content' | 'priority'>): RecordData | undefined {
    const record = this.#byContent.get(contentKey(item))?.shift()
    if (record) this.#remaining.delete(record)
    return record
  }

  /**
   * Takes every record that matches an item as written or in canonical form; without a priority, of
   * any.
   */
  takeAllMatches({ content, isTyped, priority }: RemovedItem): void {
    const canonical = this.#canonical({ content, isTyped, priority: priority ?? 0 })
    if (priority !== undefined) {
      this.#takeAllEqual({ content, priority })
      this.#takeAllEqual(canonical)
      return
    }
    for (const spelling of new Set([content, canonical.content])) {
      for (const known of this.#priorities.get(spelling) ?? []) {
        this.#takeAllEqual({ content: spelling, priority: known })
      }
      this.#priorities.delete(spelling)
    }
  }

  /** The records that were not taken. */
  remaining(): Iterable<RecordData> {
    return this.#remaining
  }

  #takeAllEqual(item: Pick<RRsetItem, 'content' | 'priority'>): void {
    while (this.takeStored(item));
  }

  #canonical(item: PooledItem) {
    return canonicalItem(this.zone, this.key, item)
  }
}

/**
 * An item in canonical form; unchanged if it has none, because other programs may have stored it
 * so.
 */
export function canonicalItem(
  { name: apex }: Pick<BackendZone, 'name'>,
  key: RRsetKey,
  { content, isTyped, priority }: PooledItem
): Pick<RecordData, 'content' | 'priority'> {
  const input = { ...key, content, isTyped, priority, disabled: false, apex }
  return ifValid(() => canonicalRecord(input)) ?? { content, priority }
}

function contentKey({ content, priority }: Pick<RRsetItem, 'content' | 'priority'>): string {
  return `${priority} ${content}`
}
