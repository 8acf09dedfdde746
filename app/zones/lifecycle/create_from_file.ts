import { inject } from '@adonisjs/core'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { RecordInput } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import type { Outcome } from '#changes/model/outcome'
import type { RRset, RRsetKey } from '#dns/types'
import type { ZoneFileContents } from '#dns/zonefile/index'
import { CreateZone, type NewZoneInput } from '#zones/lifecycle/create'
import { beginningOf } from '#zones/templates/initial_records'
import { MAX_SOURCE_CHARACTERS } from '#zones/zone_file/export'
import { errorByLine } from '#zones/zone_file/import_error'
import { importActions } from '#zones/zone_file/import_actions'

/** Input for a zone from a zone file. Absent members get the defaults of a new zone. */
export type FromFileInput = Pick<
  NewZoneInput,
  'name' | 'description' | 'ownerUserId' | 'groupIds'
> & {
  type: 'MASTER' | 'NATIVE'
}

/** Creates a zone from a zone file. */
@inject()
export class ZoneFromFile {
  constructor(private readonly createZone: CreateZone) {}

  /** Returns the canonical name. Throws a 400 `Refusal`. */
  nameOf(name: string): string {
    return this.createZone.nameOf({ name })
  }

  /**
   * Imports records and comments of a parsed file, with its SOA serial, which secondaries may know.
   * A missing SOA or NS RRset gets the defaults. Throws as zone creation, `ZoneFileRefused` with
   * all errors of the file, and a 403 `Refusal` for record types that the caller may not write
   * anywhere.
   *
   * @param source name of the file or of the channel, for the journal
   */
  async handle(
    intent: Intent,
    input: FromFileInput,
    contents: ZoneFileContents,
    source: string
  ): Promise<Outcome<AppliedZone>> {
    const draft = await this.createZone.prepare(intent.actor, input)
    const name = this.createZone.nameOf(draft)
    const { rrsets, warnings } = importActions(name, contents, 'merge')
    const initialRecords = await beginningOf(intent.actor, { name, isReplica: false }, undefined)
    const atApex = new Set(rrsets.filter((set) => set.name === name).map(({ type }) => type))
    try {
      return await this.createZone.finish(intent, {
        ...draft,
        beginning: {
          // The records of the file are first: errors refer to their index.
          records: [
            ...rrsets.flatMap(recordsOf),
            ...initialRecords.records.filter(({ type }) => !atApex.has(type)),
          ],
          comments: contents.comments,
          warnings,
          origin: { kind: 'import', id: source.slice(0, MAX_SOURCE_CHARACTERS) },
        },
      })
    } catch (error) {
      throw errorByLine(error, rrsets.flatMap(keysOf), contents.records)
    }
  }
}

function recordsOf({ name, type, ttl, records }: RRset): RecordInput[] {
  return records.map(({ content, priority, disabled }) => {
    return { name: `${name}.`, type, ttl, content, priority, disabled }
  })
}

/** Returns one key per record of the RRset. */
function keysOf({ name, type, records }: RRset): RRsetKey[] {
  return records.map(() => ({ name, type }))
}
