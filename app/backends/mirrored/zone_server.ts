import type { ZoneStep } from '#backends/pending_writes/steps'
import type { ZoneBelongings, ZoneKey, ZoneKind } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRset } from '#dns/types'

export type { Step, ZoneStep } from '#backends/pending_writes/steps'

/** What a server says of a zone, but for its records. */
export interface ServerFacts {
  /** Absolute, lower case, without final dot; as all names here. */
  name: string
  kind: ZoneKind
  masters: string[]
  account: string | null
  /** Of the SOA record, and as DNS answers it. */
  serial: number
  editedSerial: number
  /** The policy (SOA-EDIT-API) by which the server moves the serial; empty where whoever writes has to. */
  serialPolicy: string
  isSigned: boolean
}

/** All that a server says of a zone. */
export interface ServerZone extends ServerFacts {
  /** Contents in canonical form; without empty RRsets. */
  rrsets: RRset[]
  comments: ZoneBelongings['comments']
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
 * Where zones live that are reached by calls and share no transaction with the product: all that `MirroredBackend` has to be
 * told of it. Throws `BackendUnavailable` where it cannot be reached, and never answers with nothing instead.
 */
export interface ZoneServer {
  /**
   * Whether it moves serials by the metadata SOA-EDIT-API. Else the product moves them, and `ServerFacts.serialPolicy` is
   * empty.
   */
  readonly movesSerials: boolean
  /** Whether it takes this kind of metadata, given in upper case. */
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
   * Makes a step as a whole or not at all, and returns the zone as it is then, read anew; null for a step that is about no
   * records. Resolves when it lasts. Throws `WriteRefused` for what it does not accept, `ZoneExists`, `ZoneGone`,
   * and `WriteUnconfirmed` where it is not known whether the step was made; after any other error it was not made.
   */
  carry(step: ZoneStep): Promise<ServerZone | null>
  /** Takes a step back that was made. Throws `WriteUnconfirmed` where that cannot be told. */
  undo(step: ZoneStep): Promise<void>
}
