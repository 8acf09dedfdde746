import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { BackendUnavailable, WritesPending, ZoneGone } from '#backends/contract/errors'
import { pendingOf } from '#backends/pending_writes/store'
import { MIRROR_TABLES, mirrorZone, type MirrorZone } from '#backends/mirrored/mirror_tables'
import { SqlReader } from '#backends/sql/reader'
import type { Refresh, RefreshedZones } from '#backends/contract/zone_sync'

/** Zones in a row that could not be read, after which the server is left alone. */
const MAX_FAILURES = 3

/** A zone of the mirror, and its serial in the server's list. */
export interface ListedZone {
  row: MirrorZone
  serial: number
}

type Outcome = 'read' | 'failed' | 'later' | 'settled'

/**
 * Reads zones that may differ from the mirror: those with another serial in the list of the server, and those that were never
 * read. They take turns, so that zones with errors do not block others.
 */
export class MovedZones {
  /** The last checked zone. */
  #last = 0
  /** Serials of the list, by the ids of zones that showed another one when they were read. */
  readonly #odd = new Map<number, number>()

  constructor(private readonly client: () => QueryClientContract) {}

  /** Checks and reads the changed ones of these zones. */
  async refresh(listed: ListedZone[], how: Refresh): Promise<RefreshedZones> {
    const { read, most, forMs, signal } = how
    const until = performance.now() + forMs
    const moved = listed.filter((zone) => this.#isMoved(zone))
    const unread: string[] = []
    let [looks, refreshed, failures] = [0, 0, 0]
    for (const zone of this.#inTurn(moved)) {
      const isEnd = looks === most || failures === MAX_FAILURES || performance.now() > until
      if (isEnd || signal?.aborted) {
        break
      }
      this.#last = zone.row.id
      const outcome = await this.#look(zone, read)
      looks += outcome === 'later' ? 0 : 1
      refreshed += outcome === 'read' ? 1 : 0
      failures = outcome === 'failed' ? failures + 1 : 0
      if (outcome === 'failed') {
        unread.push(zone.row.name)
      }
    }
    return { refreshed, waiting: moved.length - looks, unread }
  }

  #isMoved({ row, serial }: ListedZone): boolean {
    const isNew = row.version === 0 && row.digest === ''
    return isNew || (row.serial !== serial && this.#odd.get(row.id) !== serial)
  }

  /** Those after the last one first. */
  #inTurn(zones: ListedZone[]): ListedZone[] {
    const [behind, before] = [
      zones.filter(({ row }) => row.id > this.#last),
      zones.filter(({ row }) => row.id <= this.#last),
    ]
    return [...behind, ...before]
  }

  async #look({ row: { id }, serial }: ListedZone, read: Refresh['read']): Promise<Outcome> {
    const now = await this.#row(id)
    // Others may have been faster, such as another process.
    if (!now || !this.#isMoved({ row: now, serial })) {
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
    const then = await this.#row(id)
    if (!then || then.serial === serial) {
      this.#odd.delete(id)
    } else {
      this.#odd.set(id, serial)
    }
    return 'read'
  }

  async #row(id: number): Promise<MirrorZone | null> {
    const row: unknown = await this.client().from(MIRROR_TABLES.zones).where('id', id).first()
    return row ? mirrorZone(row) : null
  }
}
