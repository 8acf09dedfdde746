import { inject } from '@adonisjs/core'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { commentsOf, notesOf } from '#changes/comments/comment_store'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import dns from '#config/dns'
import { runYielding, yieldIfDue, iterateYielding } from '#database/event_loop'
import { csvLine } from '#dns/paste/csv'
import { readSteps, type TextFormat } from '#dns/paste/read_records'
import {
  gatherZoneFile,
  recordOrder,
  writeZoneFile,
  zoneOrder,
  zoneOrderSteps,
  type TextChunks,
  type ZoneFileContents,
} from '#dns/zonefile/index'
import type { RRset } from '#dns/types'
import type { OpenZone } from '#zones/directory'
import { rowOf, settled } from '#zones/zone_file/stored_lines'
import { toldByLine } from '#zones/zone_file/import_error'
import { wishesOf, type ImportMode } from '#zones/zone_file/import_actions'

/** How a zone file is imported. */
export interface ImportOptions {
  mode: ImportMode
  /** What the journal calls the file: its name, or the channel it came through. */
  source: string
  /** About the zone itself. */
  condition?: Condition
  /** What the text is; a zone file by default. */
  format?: TextFormat
}

/** Characters of an origin that the journal keeps. */
export const LONGEST_SOURCE = 64

/** Zones as zone files. */
@inject()
export class ZoneFiles {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** The zone as a zone file, in chunks of whole lines; all of one moment. */
  async exportZone({ zone }: OpenZone): Promise<AsyncIterable<string>> {
    const rrsets = await runYielding(zoneOrderSteps(await this.#backend.allRRsets(zone), zone.name))
    const comments = commentsOf(zone.name, rrsets, await notesOf(zone))
    return iterateYielding(writeZoneFile({ apex: zone.name, rrsets, comments }))
  }

  /**
   * The zone as a file in chunks, all of one moment: `text` is a zone file, `csv` a table with a row for each record,
   * without comments.
   */
  async exported(open: OpenZone, format: 'text' | 'csv'): Promise<AsyncIterable<string>> {
    return format === 'text' ? this.exportZone(open) : this.#table(open)
  }

  async #table({ zone }: OpenZone): Promise<AsyncIterable<string>> {
    const rrsets = await this.#backend.allRRsets(zone)
    return iterateYielding(tableOf(zone.name, await runYielding(zoneOrderSteps(rrsets, zone.name))))
  }

  /** What a text says of the zone, in whatever form it has it, with all that is wrong in it. */
  async read(
    { zone }: { zone: Pick<OpenZone['zone'], 'name'> },
    chunks: TextChunks,
    format: TextFormat = 'zone'
  ): Promise<ZoneFileContents> {
    if (format === 'zone') {
      return gatherZoneFile(chunks, { origin: zone.name, yieldIfDue })
    }
    let text = ''
    for await (const chunk of chunks) text += chunk
    return runYielding(readSteps(text, { format, origin: zone.name, defaultTtl: dns.ttl }))
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
    open: OpenZone,
    chunks: TextChunks,
    options: ImportOptions
  ): Promise<Outcome<AppliedZone>> {
    const contents = await this.read(open, chunks, options.format)
    return this.importContents(intent, open, contents, options)
  }

  /** As `importZone`, for a text that was read already. */
  async importContents(
    intent: Intent,
    { zone }: OpenZone,
    read: ZoneFileContents,
    { mode, source, condition }: Omit<ImportOptions, 'format'>
  ): Promise<Outcome<AppliedZone>> {
    const contents = await settled(this.#backend, zone, read)
    const { rrsets, actions, warnings } = wishesOf(zone.name, contents, mode)
    try {
      const outcome = await submitChangeSet(this.#backend, {
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
            notes: contents.isWithoutNotes ? undefined : contents.comments,
            warnings,
          },
        ],
      })
      return await mapOutcome(outcome, ([applied]) => applied)
    } catch (error) {
      throw toldByLine(error, rrsets, contents.records)
    }
  }
}

const TITLES = ['name', 'ttl', 'type', 'content', 'priority', 'disabled']
const ROWS_OF_A_CHUNK = 500

function* tableOf(apex: string, rrsets: RRset[]): Generator<string> {
  let text = csvLine(TITLES)
  let rows = 0
  for (const rrset of zoneOrder(rrsets, apex)) {
    for (const record of recordOrder(rrset.records)) {
      text += rowOf(apex, rrset, record)
      rows++
      if (rows % ROWS_OF_A_CHUNK === 0) {
        yield text
        text = ''
      }
    }
  }
  yield text
}
