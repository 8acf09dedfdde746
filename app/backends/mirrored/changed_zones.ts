import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { BackendUnavailable, WritesPending, ZoneGone } from '#backends/contract/errors'
import { pendingOf } from '#backends/pending_writes/store'
import { MIRROR_TABLES, mirrorZoneFromRow, type MirrorZone } from '#backends/mirrored/mirror_tables'
import { SqlReader } from '#backends/sql/reader'
import type { RefreshOptions, RefreshedZones } from '#backends/contract/zone_sync'

/** Consecutive failures after which the pass stops calling the server. */
const MAX_CONSECUTIVE_FAILURES = 3

/** A zone of the mirror, and its serial in the server's list. */
export interface ListedZone {
  row: MirrorZone
  serial: number
}

type RefreshOutcome = 'read' | 'failed' | 'later' | 'settled'

/**
 * Reads zones that may differ from the mirror: zones with another serial in the list of the server, and zones that were
 * never read. Each pass continues after the last zone, so that zones with errors do not block others.
 */
export class ChangedZones {
  /** The last checked zone. */
  #lastCheckedId = 0
  /** Serials in the list, by zone id, of zones whose own answer had another serial. */
  readonly #mismatchedSerials = new Map<number, number>()

  constructor(private readonly client: () => QueryClientContract) {}

  /** Reads those zones that have changed. */
  async refresh(listed: ListedZone[], options: RefreshOptions): Promise<RefreshedZones> {
    const { read, maxZones, maxMs, signal } = options
    const deadline = performance.now() + maxMs
    const changedZones = listed.filter((zone) => this.#isChanged(zone))
    const unread: string[] = []
    let [checkedCount, refreshed, failures] = [0, 0, 0]
    for (const zone of this.#afterLastChecked(changedZones)) {
      const isEnd =
        checkedCount === maxZones ||
        failures === MAX_CONSECUTIVE_FAILURES ||
        performance.now() > deadline
      if (isEnd || signal?.aborted) {
        break
      }
      this.#lastCheckedId = zone.row.id
      const outcome = await this.#refreshZone(zone, read)
      checkedCount += outcome === 'later' ? 0 : 1
      refreshed += outcome === 'read' ? 1 : 0
      failures = outcome === 'failed' ? failures + 1 : 0
      if (outcome === 'failed') {
        unread.push(zone.row.name)
      }
    }
    return { refreshed, waiting: changedZones.length - checkedCount, unread }
  }

  #isChanged({ row, serial }: ListedZone): boolean {
    const isNew = row.version === 0 && row.digest === ''
    return isNew || (row.serial !== serial && this.#mismatchedSerials.get(row.id) !== serial)
  }

  /** The zones, starting after the last checked one. */
  #afterLastChecked(zones: ListedZone[]): ListedZone[] {
    const [later, earlier] = [
      zones.filter(({ row }) => row.id > this.#lastCheckedId),
      zones.filter(({ row }) => row.id <= this.#lastCheckedId),
    ]
    return [...later, ...earlier]
  }

  async #refreshZone(
    { row: { id }, serial }: ListedZone,
    read: RefreshOptions['read']
  ): Promise<RefreshOutcome> {
    const rowBefore = await this.#row(id)
    // Another process may have read the zone already.
    if (!rowBefore || !this.#isChanged({ row: rowBefore, serial })) {
      return 'settled'
    }
    // The writer of a zone updates the mirror at the end.
    if (await pendingOf(this.client(), [id])) {
      return 'later'
    }
    try {
      const zone = await new SqlReader(this.client(), MIRROR_TABLES).findZone(id)
      await (zone && read(zone))
    } catch (error) {
      if (error instanceof WritesPending) {
        return 'later'
      }
      if (error instanceof ZoneGone) {
        return 'settled'
      }
      if (error instanceof BackendUnavailable) {
        return 'failed'
      }
      throw error
    }
    const rowAfter = await this.#row(id)
    if (!rowAfter || rowAfter.serial === serial) {
      this.#mismatchedSerials.delete(id)
    } else {
      this.#mismatchedSerials.set(id, serial)
    }
    return 'read'
  }

  async #row(id: number): Promise<MirrorZone | null> {
    const row: unknown = await this.client().from(MIRROR_TABLES.zones).where('id', id).first()
    return row ? mirrorZoneFromRow(row) : null
  }
}
