/** Statements of an advisory lock. Each returns one row with `done`. */
export interface AdvisoryLock {
  acquire: string
  release: string
}

/**
 * Differences between the databases: SQL fragments and properties. In a fragment, `??` is a column
 * and `?` a value. `part` is SQL of a text, by default the column. Callers never check the name of
 * the database.
 */
export interface SqlDialect {
  /** The database is a file of this process, and its driver is synchronous: a statement blocks the event loop. */
  readonly isEmbedded: boolean

  // Locks

  /** A write locks the whole database: row locks and NOWAIT do not exist. */
  readonly locksDatabase: boolean
  /** End of a select that locks rows as the check of a foreign key does. */
  readonly referenceLock: string
  /** An upsert locks the rows that its foreign keys refer to, even if it only updates. */
  readonly upsertLocksReferences: boolean
  /** Lock of one session for all migrations of this database; null if the database needs none. */
  readonly migrationLock: AdvisoryLock | null

  // Schema

  /** The id of a deleted row can be used again. */
  readonly reusesIds: boolean
  /** PostgreSQL's pg_trgm can index texts. */
  readonly hasTrigramExtension: boolean
  /** Query of the names (`name`) of the valid indexes of a table. */
  indexNames(table: string): string
  /** Statement that updates the planner's statistics; null if the planner has none. */
  analyze(tables: readonly string[]): string | null
  /** Statement that sets the sequence of a table after rows with explicit ids; null if inserts do so. */
  continueIds(table: string): string | null

  // Rows

  /** The rows of an unprepared statement, without the wrapper of the driver. */
  rowsOf<Row>(answer: unknown): Row[]
  /** First words of an insert that skips rows with an existing key, and its end. */
  readonly insertNew: { insert: string; end: string }
  /** End of an insert that updates the columns of rows with an existing key. */
  upsert(keys: readonly string[], columns: readonly string[]): string
  /** Query of the largest statement in bytes (`bytes`); null if there is no limit. */
  readonly packetLimit: string | null

  // Planner

  /** Join in the order of the statement. */
  readonly orderedJoin: string
  /** The planner reads the whole table for more than one range of ids. */
  readonly scansForRanges: boolean
  /** A lookup by an index reads the rows in the order of the table. */
  readonly readsInTableOrder: boolean
  /** A table with index hints; null if the planner accepts none. */
  forceIndex(table: string, indexes: readonly string[]): string | null
  /** Condition, after a column, that a select of `zone_id` returns its value. */
  inZones(select: string): string

  // Text

  /** PowerDNS' tables compare text byte by byte. Otherwise their collation ignores case. */
  readonly comparesBytes: boolean
  /** Operators of ranges of a byte-ordered column that has no byte-ordered collation. */
  readonly byteRange: { from: string; below: string }
  /** A column in the character set of Zonewright's tables. */
  readonly utf8: string
  /** A column in lower case. Compare it with `foldedValue`: databases disagree on letters beyond ASCII. */
  readonly folded: string
  /** A value in lower case, see `folded`. */
  readonly foldedValue: string
  /** Sort expression of a folded column, byte by byte. */
  readonly foldedOrder: string
  /** The part in lower case, for LIKE with a pattern in lower case. */
  foldedPart(part: string, isAscii: boolean): string
  /** Faster collation for a part whose pattern is ASCII; null if there is none. */
  readonly asciiCollation: string | null
  /** Option of ORDER BY of a nullable column, so that NULL is the smallest value. */
  nullsSmallest(isDescending: boolean): string
  /** The length of a text in characters. */
  length(text: string): string
  /** The position of a text in a column, from 1; 0 if it is absent. */
  position(text: string, column: string): string
  /** Concatenation of two texts. */
  concat(first: string, second: string): string
  /** Whether texts, and other values, of two columns differ. NULL equals NULL; text compares byte by byte. */
  differs(
    texts: readonly (readonly [string, string])[],
    values: readonly (readonly [string, string])[]
  ): string

  // Values

  /** The current time as Zonewright's tables store it: ISO 8601 in UTC with milliseconds. */
  readonly now: string
  /** Query of the server's clock in seconds since 1970 (`seconds`); null if it is the clock of this machine. */
  readonly clockSeconds: string | null
  /** Functions of JSON arrays, and the type of their text. */
  readonly json: { row: string; rows: string; text: string }
  /** All numbers of a column, in the order of the rows, separated by commas; null if the order is undefined. */
  joinNumbers(column: string): string | null
}

/** `upsert` of the databases that have ON CONFLICT. */
export function upsertOnConflict(keys: readonly string[], columns: readonly string[]): string {
  const assignments = columns.map((column) => `${column} = excluded.${column}`)
  return `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`
}
