import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * MariaDB refuses to compare columns in Latin 1, as PowerDNS' tables have them, with texts that cannot be written
 * in it, and takes letters with accents for those without.
 */
export const AS_UTF8 = 'convert(?? using utf8mb4) collate utf8mb4_bin'

/**
 * A column whatever its case. Texts that it is compared with are folded by the database too (`foldedText`), since no
 * two of them agree on all letters. SQLite's own function knows ASCII only.
 */
export function folded({ dialect }: QueryClientContract): string {
  if (dialect.name === 'mysql') return `lower(${AS_UTF8})`
  return dialect.name === 'better-sqlite3' ? 'zw_lower(??)' : 'lower(??)'
}

/** A text whatever its case, as `folded`. */
export function foldedText({ dialect }: QueryClientContract): string {
  return dialect.name === 'better-sqlite3' ? 'zw_lower(?)' : 'lower(?)'
}
