import { inject } from '@adonisjs/core'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { RecordInput } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import type { Outcome } from '#changes/model/outcome'
import type { RRset, RRsetKey } from '#dns/types'
import type { ZoneFileContents } from '#dns/zonefile/index'
import { CreateZone, type NewZoneInput } from '#zones/lifecycle/create'
import { beginningOf } from '#zones/templates/initial_records'
import { LONGEST_SOURCE } from '#zones/zone_file/export'
import { toldByLine } from '#zones/zone_file/import_error'
import { wishesOf } from '#zones/zone_file/import_actions'

/** What a zone that is made from a file is to be. Absent members take the defaults of a new zone. */
export type FromFileInput = Pick<
  NewZoneInput,
  'name' | 'description' | 'ownerUserId' | 'groupIds'
> & {
  type: 'MASTER' | 'NATIVE'
}

/** Makes zones that hold what a zone file does. */
@inject()
export class ZoneFromFile {
  constructor(private readonly createZone: CreateZone) {}

  /** The canonical name of the zone that is wished. Throws a 400 `Refusal`. */
  nameOf(name: string): string {
    return this.createZone.nameOf({ name })
  }

  /**
   * Creates a zone with the records of a file, which was read for the zone's name, and their comments. An SOA record of
   * the file is taken with its serial, as secondaries may know that one. Where the file has no SOA record, or no name servers,
   * the zone gets those of a new zone.
   *
   * Throws what creating a zone throws, `ZoneFileRefused` with all that is wrong in the file, and a 403 `Refusal` where it
   * has records of a type that the caller may not write anywhere.
   *
   * @param source name of the file, or of the channel it came through; for the journal
   */
  async handle(
    intent: Intent,
    input: FromFileInput,
    contents: ZoneFileContents,
    source: string
  ): Promise<Outcome<AppliedZone>> {
    const draft = await this.createZone.prepare(intent.actor, input)
    const name = this.createZone.nameOf(draft)
    const { rrsets, warnings } = wishesOf(name, contents, 'merge')
    const usual = await beginningOf(intent.actor, { name, isReplica: false }, undefined)
    const atApex = new Set(rrsets.filter((set) => set.name === name).map(({ type }) => type))
    try {
      return await this.createZone.finish(intent, {
        ...draft,
        beginning: {
          // Those of the file first: what is refused is told by its place among them.
          records: [
            ...rrsets.flatMap(recordsOf),
            ...usual.records.filter(({ type }) => !atApex.has(type)),
          ],
          notes: contents.comments,
          warnings,
          origin: { kind: 'import', id: source.slice(0, LONGEST_SOURCE) },
        },
      })
    } catch (error) {
      throw toldByLine(error, rrsets.flatMap(keysOf), contents.records)
    }
  }
}

function recordsOf({ name, type, ttl, records }: RRset): RecordInput[] {
  return records.map(({ content, priority, disabled }) => {
    return { name: `${name}.`, type, ttl, content, priority, disabled }
  })
}

/** What each record of an RRset is of. */
function keysOf({ name, type, records }: RRset): RRsetKey[] {
  return records.map(() => ({ name, type }))
}
