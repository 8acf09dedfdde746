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
  /** Set for a restored zone. */
  restored?: RestoredZoneData
}

/** Data of a restored zone from before its deletion. */
export interface RestoredZoneData {
  /** The former id, which the zone gets again if it is free. */
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

/** Changeable properties of a zone; absent members do not change. */
export interface ZonePatch {
  kind?: ZoneKind
  masters?: string[]
  account?: string | null
}

/** Changed properties of a zone, before and after; of metadata, only the changed kinds. */
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
  /** null if the zone does not exist or has no id. */
  zoneId: number | null
  zoneName: string
}

/** A stored record, with values that only the backend has. */
export interface StoredRecord extends RRsetKey {
  /** The stored spelling of the owner name, if another tool wrote it differently. */
  spelling?: string
  id: RecordId
  content: string
  ttl: number
  /** null if the row has no priority. */
  priority: number | null
  disabled: boolean
  /** PowerDNS' authoritative flag: false for delegations and glue. */
  auth: boolean
}
