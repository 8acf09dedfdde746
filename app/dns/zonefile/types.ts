import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import type { RecordData, CommentText, RRset, RRsetKey } from '#dns/types'

/** A record of a zone file. */
export interface ZoneFileRecord extends RRsetKey {
  kind: 'record'
  /** Number of its first line, from 1; for a `$GENERATE`, the line of the directive. */
  line: number
  ttl: number
  record: RecordData
  comment?: CommentText
  /** The line of the record in an export: it means the stored record with the same line. */
  stored?: string
}

/** A problem in a zone file; the message contains line, field, value and allowed values. */
export interface ZoneFileProblem {
  kind: 'problem'
  /** A file with errors should not be imported; warnings are for information. */
  severity: 'error' | 'warning'
  /** From 1. */
  line: number
  /** From 1; absent if unknown. */
  column?: number
  /** Such as 'name', 'ttl', 'class', 'type', 'priority', 'content', 'directive', 'syntax' or 'limit'. */
  field: string
  message: string
  /** Owner name of a record that was read nevertheless: no problem if the zone already has the name. */
  owner?: string
  /** Exported text of a record that no file can contain: no problem if that record is stored. */
  stored?: string
}

/** An item of a reader, in the order of the file. */
export type ZoneFileItem = ZoneFileRecord | ZoneFileProblem

/** Options for reading a zone file. */
export interface ZoneFileOptions {
  /** Canonical name of the zone; the initial `$ORIGIN`. */
  origin: string
  /** Limits that differ from the defaults. */
  limits?: Partial<ZoneFileLimits>
  /** Records outside the zone are errors; with 'skip' they are skipped, each with a warning. */
  outside?: 'error' | 'skip'
  /** The text is output of `dig`: its comment lines are not about records. */
  isTransfer?: boolean
  /** Called between records by the functions that return promises; they await its result. */
  yieldIfDue?: () => Promise<void> | undefined
}

/** A comment with its record. */
export interface RecordComment extends RRsetKey, CommentText {
  content: string
  priority: number
  disabled: boolean
}

/** The contents of a zone file. */
export interface ZoneFileContents {
  /** In the order of the file. */
  records: ZoneFileRecord[]
  /** In the order of `zoneOrder`, without duplicates. */
  rrsets: RRset[]
  /** By line. */
  problems: ZoneFileProblem[]
  /** In the order of `rrsets`. */
  comments: RecordComment[]
  /** The format has no comments, so absent comments mean nothing. */
  hasNoComments?: true
}
