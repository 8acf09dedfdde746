import type { Metadata } from '#dns/metadata/metadata'
import type { RecordId, RRsetKey } from '#dns/types'

/** Kinds of zone (PowerDNS words; Secondary is SLAVE). */
export type ZoneKind = 'MASTER' | 'SLAVE' | 'NATIVE' | 'PRODUCER' | 'CONSUMER'

/** A zone of the backend. */
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

/** Properties of a new zone. */
export interface NewZone extends Omit<BackendZone, 'id'> {
  /** PowerDNS metadata by kind. */
  metadata: Record<string, string[]>
  /** Set for a zone that is brought back. */
  restored?: RestoredZoneData
}

/** What only a zone has that was there before. */
export interface RestoredZoneData {
  /** The id it had; it gets it again where it is free. */
  id: number
  comments: NonRecordData['comments']
  keys: ZoneKey[]
}

/** A DNSSEC key of PowerDNS. The content is the private key: no channel and no log may have it. */
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

/** All data of a zone except its records, to restore a deleted zone. */
export interface NonRecordData {
  metadata: Record<string, string[]>
  comments: { name: string; type: string; modifiedAt: number; account: string; comment: string }[]
}

/** A call after the commit of a write, so that name servers answer the new data. */
export interface FollowUp {
  /**
   * `forget`: name servers reload the metadata of the zone. `flush`: they flush their caches of its records. `notify`: its
   * replicas get NOTIFY.
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
