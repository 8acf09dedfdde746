import type { WireReader } from '#dns/rdata/wire_reader'

/** Position of a content, and the priority of its record. */
export interface ContentContext {
  /** Canonical owner name. */
  name: string
  /** Canonical name of the zone. */
  apex: string
  /** 0..65535; 0 for types without one. */
  priority: number
}

/**
 * The writers of a record type. `editor`: users with the right to edit the zone. `server`: only the name server, which
 * computes the records (signatures, denial of existence). `administrator`: only administrators, because the record runs code.
 */
export type Writer = 'editor' | 'server' | 'administrator'

/** Description of a record type; registry.ts lists all types. */
export interface RecordType {
  /** Upper-case mnemonic, such as 'MX'. */
  readonly type: string
  /** Source of the definition. */
  readonly rfc: string
  /** Purpose of the record, in one line. */
  readonly summary: string
  /** A canonical content. */
  readonly example: string
  /** The most frequent mistake, in one line. */
  readonly trap: string
  /** Whether records have a priority, which is not part of the content. */
  readonly priority: boolean
  /** Whether an RRset has at most one record. */
  readonly singleton: boolean

  readonly writer: Writer
  /** Oldest version of PowerDNS Authoritative that serves the type; absent if all supported versions (4.7 and later) do. */
  readonly since?: string
  /** Names of the fields of a content, in order. */
  readonly fields: readonly string[]

  /** Returns the field values of a canonical content. Joined by spaces they are the content. */
  parse(content: string): string[]

  /**
   * Returns the canonical content: printable ASCII, host names in lower case without final dot.
   *
   * @throws InvalidDns on 'content', or on 'name' or 'priority' if they do not fit the content
   */
  canonical(content: string, context: ContentContext): string

  /**
   * Reads the wire format without the priority, and returns a content for `canonical`. Absent if the type has no data, or only
   * the text form of generic data (RFC 3597, 5).
   *
   * @throws InvalidDns on 'content' for incomplete or invalid data
   */
  fromWire?(data: WireReader): string

  /** Returns the form of a canonical content for users and the API. `canonical` reverses it. */
  present(content: string): string

  /**
   * Returns the zone file form that name servers other than PowerDNS read. Absent if it is the canonical form. `canonical`
   * reverses it.
   */
  zoneFile?(content: string): string

  /** Returns the target host names of a canonical content, without the root. */
  targets(content: string): string[]
}
