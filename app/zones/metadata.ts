import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { refusalAnswer, WriteRefused } from '#backends/contract/errors'
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

/** PowerDNS metadata of a zone, by kind. */
@inject()
export class ZoneMetadata {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#backend = manager.use()
  }

  /** Returns all metadata by kind. Throws as `ZoneDirectory.open`. */
  async all(actor: Actor, zoneId: number): Promise<Metadata> {
    const { zone } = await this.directory.open(actor, zoneId, 'zone.view_metadata')
    return this.#backend.metadataOf(zone)
  }

  /**
   * Returns the values of one kind. Throws as `ZoneDirectory.open`, and a 404 `Refusal` if the kind
   * has no values.
   */
  async values(actor: Actor, zoneId: number, kind: string): Promise<string[]> {
    const metadata = await this.all(actor, zoneId)
    const values = metadata[kind.toUpperCase()]
    if (!values) {
      throw notFound('Metadata kind not found')
    }
    return values
  }

  /**
   * Opens the zone for a write of this kind. Throws as `ZoneDirectory.open`, a 403 `Refusal` if the
   * backend cannot write the kind, and a 422 if PowerDNS does not know the kind.
   */
  async open(actor: Actor, zoneId: number, kind: string): Promise<OpenZone> {
    const openedZone = await this.directory.open(actor, zoneId, 'zone.edit_metadata')
    demand(actor, { action: 'metadata.write', zone: openedZone.facts, kind })
    this.#checkWritable(kind)
    return openedZone
  }

  /** Returns whether the actor and the backend can write this kind, for the interface. */
  mayWrite(actor: Actor, { facts }: OpenZone, kind: string): boolean {
    const requests = [
      { action: 'zone.edit_metadata' as const, zone: facts },
      { action: 'metadata.write' as const, zone: facts, kind },
    ]
    return requests.every((request) => authorize(actor, request).allowed) && this.isWritable(kind)
  }

  /**
   * Replaces the values of a kind and returns the stored values. Throws a 400 `Refusal` for no
   * value, or for several of a single-valued kind, and a 422 for an invalid value.
   */
  async set(
    intent: Intent,
    { zone }: OpenZone,
    name: string,
    requested: string[],
    condition?: Condition
  ): Promise<Outcome<string[]>> {
    const kind = writableKind(name)
    if (requested.length === 0) {
      throw invalid(
        "Field 'values' must have at least one value; to remove all values, delete the kind"
      )
    }
    const values = storedValues(kind, requested)
    const outcome = await this.#write(intent, zone.id, kind, { [kind]: values }, condition)
    return mapOutcome(outcome, () => values)
  }

  /** Deletes all values of a kind. A missing kind is neither an error nor a change. */
  async delete(
    intent: Intent,
    { zone }: OpenZone,
    name: string,
    condition?: Condition
  ): Promise<Outcome<unknown>> {
    const kind = name.toUpperCase()
    // NSEC3NARROW has no effect without NSEC3PARAM.
    const deletedKinds = kind === 'NSEC3PARAM' ? [kind, 'NSEC3NARROW'] : [kind]
    const emptyValues = Object.fromEntries(deletedKinds.map((deletedKind) => [deletedKind, []]))
    return this.#write(intent, zone.id, kind, emptyValues, condition)
  }

  /** Returns whether the backend can write the kind, regardless of the actor. */
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
      ? new Refusal(403, `The PowerDNS API cannot write ${kind.kind}`)
      : new Refusal(422, `Kind '${name}': over the PowerDNS API, custom kinds must start with X-`)
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
        const { status, message } = refusalAnswer(error)
        throw new Refusal(status === 400 ? 422 : status, message)
      }
      throw error
    }
  }
}

function storedValues(kind: string, values: string[]): string[] {
  if (values.length > 1 && !metadataKind(kind).isList) {
    throw invalid(`Field 'values': ${kind} can have only one value, found ${values.length}`)
  }
  try {
    return metadataValues(kind, values)
  } catch (error) {
    throw error instanceof InvalidDns ? new Refusal(422, error.message) : error
  }
}
