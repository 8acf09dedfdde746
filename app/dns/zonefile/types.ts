import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import type { RecordData, CommentText, RRset, RRsetKey } from '#dns/types'

/** A record of a zone file. */
export interface ZoneFileRecord extends RRsetKey {
  kind: 'record'
  /** Line it starts on, from 1; of a `$GENERATE`, that of the directive. */
  line: number
  ttl: number
  record: RecordData
  comment?: CommentText
  /** The row as an export has it: where a stored record has the same row, it is that record. */
  stored?: string
}

/** Something wrong in a zone file; the message has line, field, value and what is allowed. */
export interface ZoneFileProblem {
  kind: 'problem'
  /** A file with errors should not be imported; warnings are for people to read. */
  severity: 'error' | 'warning'
  /** From 1. */
  line: number
  /** From 1, where it is known. */
  column?: number
  /** Such as 'name', 'ttl', 'class', 'type', 'priority', 'content', 'directive', 'syntax' or 'limit'. */
  field: string
  message: string
  /** Owner name of a record that is read all the same: no problem where the zone has that name already. */
  owner?: string
  /** What the export wrote of a record that no file can hold: no problem where that record is stored. */
  stored?: string
}

/** What a reader gives, in the order of the file. */
export type ZoneFileItem = ZoneFileRecord | ZoneFileProblem

/** How a zone file is read. */
export interface ZoneFileOptions {
  /** Canonical name of the zone, and the first `$ORIGIN`. */
  origin: string
  /** Caps other than the default ones. */
  limits?: Partial<ZoneFileLimits>
  /** Records outside of the zone are errors; with 'skip' they are left out, each with a warning. */
  outside?: 'error' | 'skip'
  /** The text is output of `dig`: its comment lines are not about records. */
  isTransfer?: boolean
  /** Called between records by the functions that return promises; they await what it returns. */
  yieldIfDue?: () => Promise<void> | undefined
}

/** What people wrote about a record, with the record it belongs to. */
export interface RecordComment extends RRsetKey, CommentText {
  content: string
  priority: number
  disabled: boolean
}

/** A whole zone file. */
export interface ZoneFileContents {
  /** In the order of the file. */
  records: ZoneFileRecord[]
  /** In the order of zoneOrder(), no record twice. */
  rrsets: RRset[]
  /** By line. */
  problems: ZoneFileProblem[]
  /** In the order of `rrsets`. */
  comments: RecordComment[]
  /** The text has no room for comments: that there are none says nothing. */
  hasNoComments?: true
}
