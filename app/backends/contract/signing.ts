import type { BackendZone } from '#backends/contract/types'

/** A DNSSEC key of a zone, without its private part, which never leaves the name server. */
export interface SigningKey {
  id: number
  /** Of the DNSKEY record (RFC 4034, 2.1.1). */
  flags: number
  /** IANA number. */
  algorithm: number
  bits: number
  /** Whether the key signs. */
  active: boolean
  /** Whether its DNSKEY record is published. */
  published: boolean
  /** Content of the DNSKEY record. */
  dnskey: string
  /** Contents of DS records for the parent, one for each digest type. */
  ds: string[]
}

/** Signing state of a zone. */
export interface SigningState {
  /** The primary signs the records; nothing is signed here. */
  isPresigned: boolean
  /** By id. */
  keys: SigningKey[]
}

/** A key to generate, or an existing key to import. */
export interface NewSigningKey {
  role: 'ksk' | 'zsk' | 'csk'
  active: boolean
  material:
    | { algorithm: string; bits: number }
    /** BIND private-key text: goes to the name server and nowhere else. */
    | { privateKey: string }
}

/**
 * DNSSEC signing by the name server, outside of any transaction. The caller updates Zonewright's tables afterwards.
 *
 * Throws `BackendUnavailable` if the server does not answer, `NothingDone` if it certainly changed nothing, `SigningRefused`
 * if it refuses.
 */
export interface ZoneSigning {
  state(zone: BackendZone): Promise<SigningState>
  /** Numbers of the algorithms with which the connected server generates keys. */
  algorithms(): Promise<ReadonlySet<number>>
  /** Generates the default keys of the server for a zone without an active key. */
  sign(zone: BackendZone): Promise<void>
  /** Deletes all keys. */
  unsign(zone: BackendZone): Promise<void>
  /** Rectifies the zone: derives `auth`, order names and empty non-terminals again. */
  rectify(zone: BackendZone): Promise<void>
  /** Returns the id of the new key. */
  addKey(zone: BackendZone, key: NewSigningKey): Promise<number>
  /** Throws `SigningKeyMissing` for a deleted key. */
  setActive(zone: BackendZone, key: SigningKey, active: boolean): Promise<void>
  /** As `setActive`. */
  deleteKey(zone: BackendZone, keyId: number): Promise<void>
}
