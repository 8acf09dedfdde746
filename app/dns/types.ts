/** Id of a stored record: a number if records are rows, otherwise an opaque token. */
export type RecordId = number | string

/**
 * One canonical record of an RRset: content as app/dns/records/ writes it, priority separate if the
 * type has one (otherwise 0), `disabled` if name servers must not answer it.
 */
export interface RecordData {
  /** Set on stored records; absent on new records. */
  id?: RecordId
  content: string
  /** 0..65535 */
  priority: number
  disabled: boolean
  /** Set on stored records: false at and below delegations. */
  auth?: boolean
  /**
   * TTL of a stored row in seconds (0..2147483647) that differs from its RRset. Only other programs
   * write such rows.
   */
  ownTtl?: number
}

/** Identifies an RRset (RFC 2181, section 5): owner name and type. */
export interface RRsetKey {
  /** Absolute, lower case, without final dot. */
  name: string
  /** Upper-case mnemonic. */
  type: string
}

/** All records of one owner name and type, with one TTL in seconds (0..2147483647). */
export interface RRset extends RRsetKey {
  ttl: number
  records: RecordData[]
}

/** Comment on one record: the comment lines above it, and the text after it on the same line. */
export interface CommentText {
  above: string[]
  /** '' for none. */
  inline: string
}

/** A change of a comment; null means no comment. */
export interface CommentChange extends Pick<RecordData, 'content' | 'priority'> {
  before: CommentText | null
  after: CommentText | null
}

/** A change of one RRset; null means that it does not exist. */
export interface RRsetChange extends RRsetKey {
  before: RRset | null
  after: RRset | null
  /** Changed comments on its records; a change may consist of comments only. */
  comments?: CommentChange[]
}

/** Operation of a change on records, as in API keys. */
export type Operation = 'create' | 'update' | 'delete'
