import { inject } from '@adonisjs/core'
import { demand } from '#access/demand'
import type { DnsBackend, ZoneKind } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { RecordInput } from '#changes/model/change_set'
import { today } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import type { Outcome } from '#changes/model/outcome'
import { commentsOf, loadComments } from '#changes/comments/comment_store'
import { firstSerial } from '#dns/rdata/serial'
import { parseSoa, printSoa } from '#dns/rdata/soa'
import type { RecordData, RRset } from '#dns/types'
import { movedContent, movedName, rehomed } from '#dns/zonefile/rehome'
import type { RecordComment } from '#dns/zonefile/index'
import { CreateZone, type NewZoneInput } from '#zones/lifecycle/create'
import type { OpenZone } from '#zones/directory'
import { isOfServer } from '#zones/zone_file/import_actions'

/** Input for a clone. Absent members get the defaults of a new zone. */
export type CloneInput = Pick<NewZoneInput, 'name' | 'description' | 'ownerUserId' | 'groupIds'>

/** Creates a zone from another zone. */
@inject()
export class CloneZone {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly createZone: CreateZone
  ) {
    this.#backend = manager.use()
  }

  /**
   * Copies records and comments to a new apex, with the serial of a new zone. Owners, metadata,
   * keys and the template link are not copied; the clone of a secondary zone is a primary zone.
   * Throws as zone creation, and a 403 `Refusal` for record types that the caller may not write
   * anywhere.
   */
  async handle(
    intent: Intent,
    { zone }: OpenZone,
    input: CloneInput
  ): Promise<Outcome<AppliedZone>> {
    // A reader of the clone reads the records of the original zone.
    demand(intent.actor, { action: 'key.operate', operations: ['view'] })
    const kind: ZoneKind = zone.kind === 'NATIVE' ? 'NATIVE' : 'MASTER'
    const draft = await this.createZone.prepare(intent.actor, { ...input, type: kind })
    const name = this.createZone.nameOf(draft)
    const storedSets = await this.#backend.allRRsets(zone)
    const sets = storedSets.filter(({ type }) => !isOfServer(type))
    const comments = commentsOf(zone.name, sets, await loadComments(zone))
    return this.createZone.finish(intent, {
      ...draft,
      beginning: {
        records: sets.flatMap((set) => recordsOf(rehomed(set, zone.name, name))),
        isKnown: true,
        comments: comments.map((comment) => movedComment(comment, zone.name, name)),
        origin: { kind: 'clone', id: String(zone.id) },
      },
    })
  }
}

function recordsOf({ name, type, ttl, records }: RRset): RecordInput[] {
  return records.map(({ content, priority, disabled }) => ({
    name: `${name}.`,
    type,
    ttl,
    content: type === 'SOA' ? withFirstSerial(content) : content,
    priority,
    disabled,
  }))
}

function withFirstSerial(content: RecordData['content']): string {
  return printSoa({ ...parseSoa(content), serial: firstSerial(today()) })
}

function movedComment(comment: RecordComment, from: string, to: string): RecordComment {
  const renamed = (name: string) => movedName(name, from, to)
  return {
    ...comment,
    name: renamed(comment.name),
    content: movedContent(comment.type, comment.content, renamed),
  }
}
