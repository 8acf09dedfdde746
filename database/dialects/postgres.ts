import { upsertOnConflict, type SqlDialect } from '#database/dialects/sql_dialect'

/** Zonewright's key among the advisory locks of a database. */
const LOCK_KEY = 7_906_553

/** PostgreSQL by pg. Collation "C" compares byte by byte. */
export const POSTGRES: SqlDialect = {
  isEmbedded: false,

  locksDatabase: false,
  referenceLock: 'for key share',
  upsertLocksReferences: false,
  migrationLock: {
    acquire: `SELECT pg_try_advisory_lock(${LOCK_KEY}) AS done`,
    release: `SELECT pg_advisory_unlock(${LOCK_KEY}) AS done`,
  },

  reusesIds: false,
  hasTrigramExtension: true,
  indexNames: (table) =>
    `SELECT relname AS name FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = to_regclass('${table}') AND indisvalid`,
  analyze: (tables) => `ANALYZE ${tables.join(', ')}`,
  continueIds: (table) =>
    `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,

  rowsOf: <Row>(answer: unknown) => (answer as { rows: Row[] }).rows,
  insertNew: { insert: 'INSERT', end: ' ON CONFLICT DO NOTHING' },
  upsert: upsertOnConflict,
  packetLimit: null,

  orderedJoin: 'JOIN',
  scansForRanges: false,
  // PostgreSQL reads the rows by a bitmap, in table order.
  readsInTableOrder: true,
  forceIndex: () => null,
  // The planner estimates one disk read per row for `in`, and scans all zones.
  inZones: (select) => `= any(array(${select}))`,

  comparesBytes: true,
  // Operators of `text_pattern_ops`.
  byteRange: { from: '~>=~', below: '~<~' },
  utf8: '??',
  folded: 'lower(??)',
  foldedValue: 'lower(?)',
  foldedOrder: 'lower(??) collate "C"',
  foldedPart: (part) => `lower(${part})`,
  asciiCollation: ' collate "C"',
  nullsSmallest: (isDescending) => (isDescending ? ' nulls last' : ' nulls first'),
  length: (text) => `length(${text})`,
  position: (text, column) => `position(${text} in ${column})`,
  concat: (first, second) => `${first} || ${second}`,
  differs(texts, values) {
    const binary = (column: string) => `${column} COLLATE "C"`
    const terms = [
      ...texts.map(
        ([column, otherColumn]) => `${binary(column)} IS DISTINCT FROM ${binary(otherColumn)}`
      ),
      ...values.map(([column, otherColumn]) => `${column} IS DISTINCT FROM ${otherColumn}`),
    ]
    return `(${terms.join(' OR ')})`
  },

  now: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  clockSeconds: 'SELECT extract(epoch FROM clock_timestamp()) AS seconds',
  json: { row: 'json_build_array', rows: 'json_agg', text: 'text' },
  joinNumbers: (column) => `string_agg(${column}::text, ',')`,
}
