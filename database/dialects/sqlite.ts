import { upsertOnConflict, type SqlDialect } from '#database/dialects/sql_dialect'

/** SQLite by better-sqlite3. `zw_lower` is a function of `#config/database`: SQLite's own `lower` folds ASCII only. */
export const SQLITE: SqlDialect = {
  isEmbedded: true,

  locksDatabase: true,
  referenceLock: '',
  upsertLocksReferences: false,
  migrationLock: null,

  reusesIds: true,
  hasTrigramExtension: false,
  indexNames: (table) =>
    `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '${table}'`,
  analyze: () => null,
  continueIds: () => null,

  rowsOf: <Row>(answer: unknown) => answer as Row[],
  insertNew: { insert: 'INSERT OR IGNORE', end: '' },
  upsert: upsertOnConflict,
  packetLimit: null,

  orderedJoin: 'CROSS JOIN',
  scansForRanges: true,
  readsInTableOrder: false,
  forceIndex: () => null,
  inZones: (select) => `in (select zone_id from (${select}) zones)`,

  comparesBytes: true,
  byteRange: { from: '>=', below: '<' },
  utf8: '??',
  folded: 'zw_lower(??)',
  foldedValue: 'zw_lower(?)',
  foldedOrder: 'zw_lower(??)',
  foldedPart: (part, isAscii) => (isAscii ? part : `zw_lower(${part})`),
  asciiCollation: null,
  nullsSmallest: () => '',
  length: (text) => `length(${text})`,
  position: (text, column) => `instr(${column}, ${text})`,
  concat: (first, second) => `${first} || ${second}`,
  differs(texts, values) {
    const binary = (column: string) => `${column} COLLATE BINARY`
    const terms = [
      ...texts.map(([column, otherColumn]) => `${binary(column)} IS NOT ${binary(otherColumn)}`),
      ...values.map(([column, otherColumn]) => `${column} IS NOT ${otherColumn}`),
    ]
    return `(${terms.join(' OR ')})`
  },

  now: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  clockSeconds: null,
  json: { row: 'json_array', rows: 'json_group_array', text: 'text' },
  joinNumbers: (column) => `group_concat(${column})`,
}
