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
  /** Of the SOA record, and as DNS answers it. */
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
  /** Of everything above: equal where nothing moved, at most 64 characters. */
  digest: string
}

/** All zones of a server. */
export interface ServerList {
  zones: ServerFacts[]
  /** Names of zones that are there, and of which nothing else could be understood. */
  unread: Set<string>
}

/**
 * A server of zones that is used by calls and shares no transaction with Zonewright: the interface for `MirroredBackend`.
 * Throws `BackendUnavailable` without an answer, and never returns an empty result instead.
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
  /** The zone with its records, or null where there is none of that name. */
  zone(name: string): Promise<ServerZone | null>
  /** The zone without its records, or null. */
  facts(name: string): Promise<ServerFacts | null>
  /** By kind, in upper case and in their order, without kinds that have no value; null where there is no such zone. */
  metadata(name: string): Promise<Metadata | null>
  /** DNSSEC keys with their private parts; empty where zones are not signed here. */
  keys(name: string): Promise<ZoneKey[]>

  /**
   * Does a step completely or not at all, and returns the resulting zone; null for a step without records. Resolves when it is
   * durable. Throws `WriteRefused`, `ZoneExists` or `ZoneGone`, and `WriteUnconfirmed` if the outcome is unknown; after any
   * other error the step was not done.
   */
  executeStep(step: ZoneStep): Promise<ServerZone | null>
  /** Reverses a step. Throws `WriteUnconfirmed` if the outcome is unknown. */
  undo(step: ZoneStep): Promise<void>
}

/** The policy of SOA-EDIT-API by which a server moves the serial; empty where it leaves it alone. */
export function serialPolicyOf(value: string): string {
  return /^off$/i.test(value) ? '' : value
}
