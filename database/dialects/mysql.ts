import type { SqlDialect } from '#database/dialects/sql_dialect'

/** A server has one set of named locks for all of its databases. */
const LOCK_NAME = "CONCAT('zonewright ', MD5(DATABASE()))"

/**
 * PowerDNS' tables are in Latin 1. Their collation ignores case and accents, and does not compare with a text that Latin 1
 * cannot hold.
 */
const utf8Of = (part: string) => `convert(${part} using utf8mb4)`
const AS_UTF8 = `${utf8Of('??')} collate utf8mb4_bin`

/** MariaDB and MySQL by mysql2. */
export const MYSQL: SqlDialect = {
  isEmbedded: false,

  locksDatabase: false,
  referenceLock: 'lock in share mode',
  upsertLocksReferences: true,
  migrationLock: {
    acquire: `SELECT GET_LOCK(${LOCK_NAME}, 0) AS done`,
    release: `SELECT RELEASE_LOCK(${LOCK_NAME}) AS done`,
  },

  reusesIds: false,
  hasTrigramExtension: false,
  indexNames: (table) => `SELECT DISTINCT index_name AS name FROM information_schema.statistics
    WHERE table_schema = database() AND table_name = '${table}'`,
  analyze: (tables) => `ANALYZE TABLE ${tables.join(', ')}`,
  continueIds: () => null,

  rowsOf: <Row>(answer: unknown) => (answer as [Row[], unknown])[0],
  insertNew: { insert: 'INSERT IGNORE', end: '' },
  upsert: (_keys, columns) =>
    `ON DUPLICATE KEY UPDATE ${columns.map((column) => `${column} = VALUES(${column})`).join(', ')}`,
  packetLimit: 'select @@max_allowed_packet as bytes',

  orderedJoin: 'STRAIGHT_JOIN',
  scansForRanges: false,
  readsInTableOrder: false,
  forceIndex: (table, indexes) => `${table} FORCE INDEX (${indexes.join(', ')})`,
  // Without the derived table, the server runs a union once for each row.
  inZones: (select) => `in (select zone_id from (${select}) zones)`,

  comparesBytes: false,
  byteRange: { from: '>=', below: '<' },
  utf8: AS_UTF8,
  folded: `lower(${AS_UTF8})`,
  foldedValue: 'lower(?)',
  foldedOrder: `lower(${AS_UTF8})`,
  foldedPart: (part) => `lower(${utf8Of(part)}) collate utf8mb4_bin`,
  asciiCollation: null,
  nullsSmallest: () => '',
  length: (text) => `char_length(${text})`,
  position: (text, column) => `locate(${text}, ${column})`,
  concat: (first, second) => `concat(${first}, ${second})`,
  differs(texts, values) {
    const binary = (column: string) => `CAST(${utf8Of(column)} AS BINARY)`
    // The null-safe operator `<=>` tests equality, so it is negated.
    const terms = [
      ...texts.map(([column, otherColumn]) => `${binary(column)} <=> ${binary(otherColumn)}`),
      ...values.map(([column, otherColumn]) => `${column} <=> ${otherColumn}`),
    ]
    return `NOT (${terms.join(' AND ')})`
  },

  now: `concat(left(date_format(utc_timestamp(3), '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`,
  clockSeconds: 'SELECT unix_timestamp(now(3)) AS seconds',
  json: { row: 'json_array', rows: 'json_arrayagg', text: 'char' },
  joinNumbers: () => null,
}
