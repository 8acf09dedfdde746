import { RECORD_TEXTS, type TextSource } from '#database/trigram_index/source'

/** Names of tables of PowerDNS' form with zones. Their snapshots are in tables of Zonewright (snapshots/). */
export interface ZoneTables {
  zones: string
  records: string
  comments: string
  metadata: string
  keys: string
  /** Text index of the contents of `records`. */
  texts: TextSource
}

/** The tables of PowerDNS. */
export const POWERDNS_TABLES: ZoneTables = {
  zones: 'domains',
  records: 'records',
  comments: 'comments',
  metadata: 'domainmetadata',
  keys: 'cryptokeys',
  texts: RECORD_TEXTS,
}

/** Creates a value for each set of tables once, such as its statements. */
export function memoizeByTables<T>(create: (tables: ZoneTables) => T): (tables: ZoneTables) => T {
  const created = new WeakMap<ZoneTables, T>()
  return (tables) => {
    const value = created.get(tables) ?? create(tables)
    created.set(tables, value)
    return value
  }
}
