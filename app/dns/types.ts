/**
 * Identity of a stored record: a number where records are rows, an opaque token elsewhere.
 */
export type RecordId = number | string

/**
 * One record of an RRset, in canonical form: content as app/dns/records/ writes it, priority apart from
 * the content where the type has one (0 otherwise), `disabled` when the name servers must not answer it.
 */
export interface RecordData {
  /** Set on records that are stored; absent on records to be created. */
  id?: RecordId
  content: string
  /** 0..65535 */
  priority: number
  disabled: boolean
  /** Set on records that are stored: false for delegations and what lies below them. */
  auth?: boolean
  /**
   * TTL in seconds (0..2147483647) of a stored row, where it is not that of its RRset: another tool wrote it. What is written
   * here has none.
   */
  ownTtl?: number
}

/** Names an RRset (RFC 2181, section 5): owner name and type. */
export interface RRsetKey {
  /** Absolute, lower case, without final dot. */
  name: string
  /** Upper case mnemonic. */
  type: string
}

/** All records of one owner name and type, with their one TTL in seconds (0..2147483647). */
export interface RRset extends RRsetKey {
  ttl: number
  records: RecordData[]
}

/** What people wrote about one record: the comment lines directly above it, and the text behind it. */
export interface RecordNote {
  above: string[]
  /** '' when there is none. */
  beside: string
}

/** How what is written about one record changes; null is "nothing". */
export interface NoteChange extends Pick<RecordData, 'content' | 'priority'> {
  before: RecordNote | null
  after: RecordNote | null
}

/** The step from one state of an RRset to the next; null is "does not exist". */
export interface RRsetChange extends RRsetKey {
  before: RRset | null
  after: RRset | null
  /** What is written about its records, where that changes; it may be all that does. */
  notes?: NoteChange[]
}

/** What a change does to records, in the words of API keys (create, update, delete). */
export type Operation = 'create' | 'update' | 'delete'
