import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { toldRefusal, WriteRefused } from '#backends/contract/errors'
import { BackendManager } from '#backends/manager'
import type { Condition } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { InvalidDns } from '#dns/errors'
import {
  isKnownKind,
  metadataKind,
  metadataValues,
  writableKind,
  type Metadata,
} from '#dns/metadata/metadata'
import { Refusal, invalid, notFound } from '#exceptions/refusal'
import { ZoneDirectory, type OpenZone } from '#zones/directory'

/** The metadata of a zone: what PowerDNS is to do with it beside answering its records. */
@inject()
export class ZoneMetadata {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#backend = manager.use()
  }

  /** All of it, by kind. Throws as `ZoneDirectory.open`. */
  async all(actor: Actor, zoneId: number): Promise<Metadata> {
    const { zone } = await this.directory.open(actor, zoneId, 'zone.view_metadata')
    return this.#backend.metadataOf(zone)
  }

  /** The values of one kind. Throws as `ZoneDirectory.open`, and a 404 `Refusal` where there are none. */
  async values(actor: Actor, zoneId: number, kind: string): Promise<string[]> {
    const metadata = await this.all(actor, zoneId)
    const values = metadata[kind.toUpperCase()]
    if (!values) {
      throw notFound('Metadata kind not found')
    }
    return values
  }

  /**
   * The zone, for who may write this kind of its metadata. Throws as `ZoneDirectory.open`; where the backend does
   * not write the kind, a 403 `Refusal`, or a 422 for one that PowerDNS does not know.
   */
  async open(actor: Actor, zoneId: number, kind: string): Promise<OpenZone> {
    const open = await this.directory.open(actor, zoneId, 'zone.edit_metadata')
    demand(actor, { action: 'metadata.write', zone: open.facts, kind })
    this.#checkWritable(kind)
    return open
  }

  /** Whether the actor may write this kind of the zone's metadata, and the backend can: for offering it. */
  mayWrite(actor: Actor, { facts }: OpenZone, kind: string): boolean {
    const requests = [
      { action: 'zone.edit_metadata' as const, zone: facts },
      { action: 'metadata.write' as const, zone: facts, kind },
    ]
    return requests.every((request) => authorize(actor, request).allowed) && this.isWritable(kind)
  }

  /**
   * Makes these the values of a kind and returns them as they are stored. Throws a 400 `Refusal` for none, and
   * for several of a kind that has one; a 422 for a value that the kind does not take.
   */
  async set(
    intent: Intent,
    { zone }: OpenZone,
    name: string,
    given: string[],
    condition?: Condition
  ): Promise<Outcome<string[]>> {
    const kind = writableKind(name)
    if (given.length === 0) {
      throw invalid("Field 'values' must have at least one value; delete the kind to have none")
    }
    const values = stored(kind, given)
    const outcome = await this.#write(intent, zone.id, kind, { [kind]: values }, condition)
    return mapOutcome(outcome, () => values)
  }

  /** Ends a kind. One that is not there is no error, and no change. */
  async delete(
    intent: Intent,
    { zone }: OpenZone,
    name: string,
    condition?: Condition
  ): Promise<Outcome<unknown>> {
    const kind = name.toUpperCase()
    // Narrow denials are hashed ones: without parameters the switch would mean nothing.
    const ends = kind === 'NSEC3PARAM' ? [kind, 'NSEC3NARROW'] : [kind]
    const none = Object.fromEntries(ends.map((ended) => [ended, []]))
    return this.#write(intent, zone.id, kind, none, condition)
  }

  /** Whether the backend writes the kind for anybody. */
  isWritable(name: string): boolean {
    return this.#backend.capabilities.anyMetadata || metadataKind(name).overApi !== 'none'
  }

  #checkWritable(name: string): void {
    if (this.isWritable(name)) {
      return
    }
    const kind = metadataKind(name)
    if (!isKnownKind(name)) {
      writableKind(name)
    }
    throw isKnownKind(name)
      ? new Refusal(403, `The API of PowerDNS does not write ${kind.kind}`)
      : new Refusal(422, `Kind '${name}': over the API of PowerDNS, own kinds begin with X-`)
  }

  async #write(
    intent: Intent,
    zoneId: number,
    kind: string,
    metadata: Metadata,
    condition?: Condition
  ): Promise<Outcome<unknown>> {
    const metadataCondition = condition && { kind, condition }
    try {
      return await submitChangeSet(this.#backend, {
        intent,
        origin: null,
        zones: [{ op: 'edit', zoneId, properties: { metadata }, actions: [], metadataCondition }],
      })
    } catch (error) {
      if (error instanceof WriteRefused) {
        const { status, message } = toldRefusal(error)
        throw new Refusal(status === 400 ? 422 : status, message)
      }
      throw error
    }
  }
}

function stored(kind: string, given: string[]): string[] {
  if (given.length > 1 && !metadataKind(kind).isList) {
    throw invalid(`Field 'values': ${kind} has one value, found ${given.length}`)
  }
  try {
    return metadataValues(kind, given)
  } catch (error) {
    throw error instanceof InvalidDns ? new Refusal(422, error.message) : error
  }
}
