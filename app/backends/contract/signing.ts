import type { BackendZone } from '#backends/contract/types'

/** A DNSSEC key of a zone, without its private part, which never leaves the name server. */
export interface SigningKey {
  id: number
  /** Of the DNSKEY record (RFC 4034, 2.1.1). */
  flags: number
  /** IANA number. */
  algorithm: number
  bits: number
  /** It signs. */
  active: boolean
  /** Its DNSKEY record is served. */
  published: boolean
  /** Content of the DNSKEY record. */
  dnskey: string
  /** Contents of DS records for the parent, one for each digest type. */
  ds: string[]
}

/** How a zone is signed. */
export interface SigningState {
  /** The records came signed from elsewhere: nothing is signed here. */
  isPresigned: boolean
  /** By id. */
  keys: SigningKey[]
}

/** A key that is to be made, or one that is there already and is to be taken over. */
export interface NewSigningKey {
  role: 'ksk' | 'zsk' | 'csk'
  active: boolean
  material:
    | { algorithm: string; bits: number }
    /** BIND private-key text: goes to the name server and nowhere else. */
    | { privateKey: string }
}

/**
 * Signing of zones by the name server that serves them. Outside of any transaction: whoever changes something has
 * to bring the product's own tables up to date afterwards.
 *
 * A server that cannot be reached is a `BackendUnavailable`, and a `NothingDone` where it is certain that it changed nothing; one
 * that does not accept what was asked of it, a `SigningRefused`.
 */
export interface ZoneSigning {
  state(zone: BackendZone): Promise<SigningState>
  /** Numbers of the algorithms that the connected server makes keys of. */
  algorithms(): Promise<ReadonlySet<number>>
  /** Makes the server's default keys for a zone without an active one. */
  sign(zone: BackendZone): Promise<void>
  /** Deletes all keys. */
  unsign(zone: BackendZone): Promise<void>
  /** Derives again which names exist and in which order they are proven. */
  rectify(zone: BackendZone): Promise<void>
  /** Returns the id of the new key. */
  addKey(zone: BackendZone, key: NewSigningKey): Promise<number>
  /** Throws `SigningKeyMissing` for a key that is gone. */
  setActive(zone: BackendZone, key: SigningKey, active: boolean): Promise<void>
  /** As `setActive`. */
  deleteKey(zone: BackendZone, keyId: number): Promise<void>
}
