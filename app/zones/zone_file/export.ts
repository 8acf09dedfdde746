import { inject } from '@adonisjs/core'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { commentsOf, loadComments } from '#changes/comments/comment_store'
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
import { rowOf, reduceContents } from '#zones/zone_file/stored_lines'
import { errorByLine } from '#zones/zone_file/import_error'
import { importActions, type ImportMode } from '#zones/zone_file/import_actions'

/** Options of an import. */
export interface ImportOptions {
  mode: ImportMode
  /** Name of the file or of the channel, for the journal. */
  source: string
  /** Precondition on the zone. */
  condition?: Condition
  /** Format of the text; default: a zone file. */
  format?: TextFormat
}

/** Maximum length of an origin in the journal, in characters. */
export const MAX_SOURCE_CHARACTERS = 64

/** Exports and imports zone files. */
@inject()
export class ZoneFiles {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Returns a consistent zone file, in chunks of complete lines. */
  async exportZone({ zone }: OpenZone): Promise<AsyncIterable<string>> {
    const rrsets = await runYielding(zoneOrderSteps(await this.#backend.allRRsets(zone), zone.name))
    const comments = commentsOf(zone.name, rrsets, await loadComments(zone))
    return iterateYielding(writeZoneFile({ apex: zone.name, rrsets, comments }))
  }

  /**
   * Returns a consistent export in chunks: `text` is a zone file, `csv` a table with one row per
   * record, without comments.
   */
  async exported(openedZone: OpenZone, format: 'text' | 'csv'): Promise<AsyncIterable<string>> {
    return format === 'text' ? this.exportZone(openedZone) : this.#table(openedZone)
  }

  async #table({ zone }: OpenZone): Promise<AsyncIterable<string>> {
    const rrsets = await this.#backend.allRRsets(zone)
    return iterateYielding(tableOf(zone.name, await runYielding(zoneOrderSteps(rrsets, zone.name))))
  }

  /** Parses a text in any format; the result contains all problems. */
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
   * Imports a zone file as one change set. SOA fields are taken over; the serial continues from the
   * stored one, unless the serial of the file is newer (RFC 1982). Comments on records are stored
   * for the next export. Throws `ZoneFileRefused` with all errors.
   */
  async importZone(
    intent: Intent,
    openedZone: OpenZone,
    chunks: TextChunks,
    options: ImportOptions
  ): Promise<Outcome<AppliedZone>> {
    const contents = await this.read(openedZone, chunks, options.format)
    return this.importContents(intent, openedZone, contents, options)
  }

  /** As `importZone`, for a parsed text. */
  async importContents(
    intent: Intent,
    { zone }: OpenZone,
    read: ZoneFileContents,
    { mode, source, condition }: Omit<ImportOptions, 'format'>
  ): Promise<Outcome<AppliedZone>> {
    const contents = await reduceContents(this.#backend, zone, read)
    const { rrsets, actions, warnings } = importActions(zone.name, contents, mode)
    try {
      const outcome = await submitChangeSet(this.#backend, {
        intent,
        origin: { kind: 'import', id: source.slice(0, MAX_SOURCE_CHARACTERS) },
        zones: [
          {
            op: 'edit',
            zoneId: zone.id,
            actions,
            condition,
            continuesSerial: 'unless-newer',
            isCompleteZone: mode === 'replace',
            checksChangedOnly: true,
            comments: contents.hasNoComments ? undefined : contents.comments,
            warnings,
          },
        ],
      })
      return await mapOutcome(outcome, ([applied]) => applied)
    } catch (error) {
      throw errorByLine(error, rrsets, contents.records)
    }
  }
}

const COLUMN_TITLES = ['name', 'ttl', 'type', 'content', 'priority', 'disabled']
const CHUNK_ROWS = 500

function* tableOf(apex: string, rrsets: RRset[]): Generator<string> {
  let text = csvLine(COLUMN_TITLES)
  let rows = 0
  for (const rrset of zoneOrder(rrsets, apex)) {
    for (const record of recordOrder(rrset.records)) {
      text += rowOf(apex, rrset, record)
      rows++
      if (rows % CHUNK_ROWS === 0) {
        yield text
        text = ''
      }
    }
  }
  yield text
}
