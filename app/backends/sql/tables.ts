import { RECORD_TEXTS, type TextSource } from '#database/trigram_index/source'

/**
 * Tables of PowerDNS' shape that hold zones, by what they are for. Names only: what they hold is the same.
 * Which rows were last known of them is noted in tables of the product's own (seen_sql.ts).
 */
export interface ZoneTables {
  zones: string
  records: string
  comments: string
  metadata: string
  keys: string
  /** By what contents of `records` are found. */
  texts: TextSource
}

/** PowerDNS' own. */
export const POWERDNS_TABLES: ZoneTables = {
  zones: 'domains',
  records: 'records',
  comments: 'comments',
  metadata: 'domainmetadata',
  keys: 'cryptokeys',
  texts: RECORD_TEXTS,
}

/** Makes something of each set of tables once, such as the statements on them. */
export function ofTables<T>(make: (tables: ZoneTables) => T): (tables: ZoneTables) => T {
  const made = new WeakMap<ZoneTables, T>()
  return (tables) => {
    const known = made.get(tables) ?? make(tables)
    made.set(tables, known)
    return known
  }
}
