import type { WireReader } from '#dns/rdata/wire_reader'

/** Where a content stands, and the priority that goes with it. */
export interface ContentContext {
  /** Canonical owner name. */
  name: string
  /** Canonical name of the zone. */
  apex: string
  /** 0..65535; 0 for types without one. */
  priority: number
}

/**
 * Who writes records of a type: whoever may edit the zone; only the name server, which computes them
 * (signatures, denials); or only an administrator, because the record runs code.
 */
export type Writer = 'editor' | 'server' | 'administrator'

/** What there is to know of one record type; registry.ts holds them all. */
export interface RecordType {
  /** Upper case mnemonic, such as 'MX'. */
  readonly type: string
  /** Where the content is defined. */
  readonly rfc: string
  /** What the record is for, one line. */
  readonly summary: string
  /** A canonical content. */
  readonly example: string
  /** The commonest mistake, one line. */
  readonly trap: string
  /** Whether the content has a priority, which is kept apart from it. */
  readonly priority: boolean
  /** Whether an RRset of this type holds one record at most. */
  readonly singleton: boolean

  readonly writer: Writer
  /** Oldest PowerDNS Authoritative that serves the type; absent: every one that is supported (4.7). */
  readonly since?: string
  /** Names of the fields of a content, in their order. */
  readonly fields: readonly string[]

  /** The values of the fields of a canonical content; joined by spaces they are the content again. */
  parse(content: string): string[]

  /**
   * The canonical content: printable ASCII, host names lower case without final dot.
   *
   * @throws InvalidDns on 'content', or on 'name' or 'priority' when these do not fit the content
   */
  canonical(content: string, context: ContentContext): string

  /**
   * A content as canonical() takes it, of data as they are on the wire, without a priority in front; absent:
   * there are no such data, or they have no other text than generic data (RFC 3597, 5).
   *
   * @throws InvalidDns on 'content' for data that end too early or are none of the type
   */
  fromWire?(data: WireReader): string

  /** What people and the API see of a canonical content; canonical(present(c)) is c. */
  present(content: string): string

  /**
   * The form of a canonical content that name servers other than PowerDNS read in a zone file; absent: the
   * canonical one. canonical(zoneFile(c)) is c.
   */
  zoneFile?(content: string): string

  /** The host names a canonical content points to, without the root. */
  targets(content: string): string[]
}
