import type { ZoneStep } from '#backends/pending_writes/steps'
import type { NonRecordData, ZoneKey, ZoneKind } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRset } from '#dns/types'

export type { Step, ZoneStep } from '#backends/pending_writes/steps'

/** Properties of a zone at the server, without its records. */
export interface ServerFacts {
  /** Absolute, lower case, without final dot; as all names here. */
  name: string
  kind: ZoneKind
  masters: string[]
  account: string | null
  /** Serial of the SOA record, and the serial in DNS answers. */
  serial: number
  editedSerial: number
  /** The policy by which the server changes the serial (SOA-EDIT-API); empty if the writer does. */
  serialPolicy: string
  isSigned: boolean
}

/** A zone at the server. */
export interface ServerZone extends ServerFacts {
  /** Contents in canonical form; without empty RRsets. */
  rrsets: RRset[]
  comments: NonRecordData['comments']
  /** Digest of all members above, at most 64 characters: equal if nothing changed. */
  digest: string
}

/** All zones of a server. */
export interface ServerList {
  zones: ServerFacts[]
  /** Names of zones whose other properties could not be parsed. */
  unread: Set<string>
}

/**
 * A server of zones that is called over a network and shares no transaction with Zonewright: the interface for
 * `MirroredBackend`. Throws `BackendUnavailable` without an answer, and never returns an empty result instead.
 */
export interface ZoneServer {
  /**
   * Whether it moves serials by the metadata SOA-EDIT-API. Else the product moves them, and `ServerFacts.serialPolicy` is
   * empty.
   */
  readonly movesSerials: boolean
  /** Whether the server accepts this kind of metadata, in upper case. */
  takesMetadata(kind: string): boolean

  list(): Promise<ServerList>
  /** The zone with its records; null if it does not exist. */
  zone(name: string): Promise<ServerZone | null>
  /** The zone without its records, or null. */
  facts(name: string): Promise<ServerFacts | null>
  /** Values by kind in upper case, in their order, without empty kinds; null if the zone does not exist. */
  metadata(name: string): Promise<Metadata | null>
  /** DNSSEC keys with their private parts; empty for unsigned zones. */
  keys(name: string): Promise<ZoneKey[]>

  /**
   * Executes a step completely or not at all, and returns the resulting zone; null for a step without records. Resolves
   * when it is durable. Throws `WriteRefused`, `ZoneExists` or `ZoneGone`, and `WriteUnconfirmed` if the outcome is
   * unknown; after any other error the step was not executed.
   */
  executeStep(step: ZoneStep): Promise<ServerZone | null>
  /** Reverses a step. Throws `WriteUnconfirmed` if the outcome is unknown. */
  undo(step: ZoneStep): Promise<void>
}

/** The policy of SOA-EDIT-API by which a server changes the serial; empty if it does not change it. */
export function serialPolicyOf(value: string): string {
  return /^off$/i.test(value) ? '' : value
}
