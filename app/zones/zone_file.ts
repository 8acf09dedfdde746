import { inject } from '@adonisjs/core'
import type { DnsBackend } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/change_context'
import type { Condition } from '#changes/change_set'
import type { Intent } from '#changes/intent'
import { commentsOf, notesOf } from '#changes/record_notes'
import { submitChangeSet } from '#changes/submit'
import { gatherZoneFile, writeZoneFile, type TextChunks } from '#dns/zonefile/index'
import type { OpenZone } from '#zones/directory'
import { toldByLine } from '#zones/zone_file_refused'
import { wishesOf, type ImportMode } from '#zones/zone_file_wishes'

/** How a zone file is imported. */
export interface ImportOptions {
  mode: ImportMode
  /** What the journal calls the file: its name, or the door it came through. */
  source: string
  /** About the zone itself. */
  condition?: Condition
}

/** Characters of an origin that the journal keeps. */
const LONGEST_SOURCE = 64

/** Zones as zone files. */
@inject()
export class ZoneFiles {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** The zone as a zone file, in chunks of whole lines; all of one moment. */
  async exportZone({ zone }: OpenZone): Promise<Iterable<string>> {
    const rrsets = await this.#backend.allRRsets(zone)
    const comments = commentsOf(zone.name, rrsets, await notesOf(zone))
    return writeZoneFile({ apex: zone.name, rrsets, comments })
  }

  /**
   * Brings what a zone file says into the zone, as one change. The fields of its SOA record are taken; the
   * serial goes on from the stored one, unless that of the file is newer (RFC 1982). What is the same is no
   * change. Comments that belong to records are kept, and stand in the next export.
   *
   * Throws `ZoneFileRefused` with all that is wrong in the file.
   */
  async importZone(
    intent: Intent,
    { zone }: OpenZone,
    chunks: TextChunks,
    { mode, source, condition }: ImportOptions
  ): Promise<AppliedZone> {
    const contents = await gatherZoneFile(chunks, { origin: zone.name })
    const { rrsets, actions, warnings } = wishesOf(zone.name, contents, mode)
    try {
      const { zones } = await submitChangeSet(this.#backend, {
        intent,
        origin: { kind: 'import', id: source.slice(0, LONGEST_SOURCE) },
        zones: [
          {
            op: 'edit',
            zoneId: zone.id,
            actions,
            condition,
            stepSerial: 'unless-newer',
            whole: mode === 'replace',
            asksByDifference: true,
            notes: contents.comments,
            warnings,
          },
        ],
      })
      return zones[0]
    } catch (error) {
      throw toldByLine(error, rrsets, contents.records)
    }
  }
}
