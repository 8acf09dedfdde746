import type { Metadata } from '#dns/metadata/metadata'
import type { RecordId, RRsetKey } from '#dns/types'

/** Kinds of zone (PowerDNS words; Secondary is SLAVE). */
export type ZoneKind = 'MASTER' | 'SLAVE' | 'NATIVE' | 'PRODUCER' | 'CONSUMER'

/** A zone as the backend keeps it. */
export interface BackendZone {
  /** Id in every address of the zone; see `ZoneIndex`. */
  id: number
  /** Absolute, lower case, without final dot. */
  name: string
  kind: ZoneKind
  /** Primaries of a replica zone: `ip`, `ip:port` or `[ip6]:port`. */
  masters: string[]
  account: string | null
}

/** A zone, as far as its records are concerned. */
export type NamedZone = Pick<BackendZone, 'id' | 'name'>

/** What a zone is made of at creation. */
export interface NewZone extends Omit<BackendZone, 'id'> {
  /** PowerDNS metadata by kind. */
  metadata: Record<string, string[]>
  /** Set for a zone that is brought back. */
  revival?: ZoneRevival
}

/** What only a zone has that was there before. */
export interface ZoneRevival {
  /** The id it had; it gets it again where it is free. */
  id: number
  comments: ZoneBelongings['comments']
  keys: ZoneKey[]
}

/** A DNSSEC key as PowerDNS keeps it. The content is the private key: it goes to no channel and no log. */
export interface ZoneKey {
  /** 257 with the secure entry point, else 256 (RFC 4034, 2.1.1). */
  flags: number
  active: boolean
  published: boolean
  content: string
}

/** Properties of a zone that can change; absent members stay. */
export interface ZonePatch {
  kind?: ZoneKind
  masters?: string[]
  account?: string | null
}

/** Properties of a zone that changed, before and after; of metadata, only the kinds that did. */
export interface PropertyChange {
  before: ZonePatch & { metadata?: Metadata }
  after: ZonePatch & { metadata?: Metadata }
}

/** What belongs to a zone beside its records; enough to bring a deleted zone back. */
export interface ZoneBelongings {
  metadata: Record<string, string[]>
  comments: { name: string; type: string; modifiedAt: number; account: string; comment: string }[]
}

/** What has to happen once a write is committed, so that name servers answer what was written. */
export interface FollowUp {
  /**
   * `forget`: name servers read the zone's metadata anew. `flush`: they forget what they remember of its records.
   * `notify`: its replicas are told.
   */
  kind: 'forget' | 'flush' | 'notify'
  /** null where the zone has none, or none any more. */
  zoneId: number | null
  zoneName: string
}

/** One stored record with the facts that only a backend knows. */
export interface StoredRecord extends RRsetKey {
  /** The owner name as it is spelled in storage, where another tool spelled it otherwise. */
  spelling?: string
  id: RecordId
  content: string
  ttl: number
  /** null where the row has none. */
  priority: number | null
  disabled: boolean
  /** PowerDNS' authoritative flag: false for delegations and glue. */
  auth: boolean
}
