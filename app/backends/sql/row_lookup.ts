import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { foldCase } from '#dns/names'
import { dialectOf } from '#database/dialects/dialect_of'
import type { SqlDialect } from '#database/dialects/sql_dialect'

/**
 * Lookups of a few rows of `records`. The sign before the zone id prevents SQLite, which has no statistics, from using
 * an index of the zone id: it would read all rows of the zone.
 */

/** Narrows to the rows of a zone at these owner names. A name is in one zone, or in few. */
export function atNames<Row>(
  rows: DatabaseQueryBuilderContract<Row>,
  zoneId: number,
  names: string[]
): DatabaseQueryBuilderContract<Row> {
  const dialect = dialectOf(rows.client)
  return rows
    .whereRaw('+domain_id = ?', [zoneId])
    .whereRaw(nameCondition(dialect, names.length), nameBindings(dialect, names))
}

/**
 * Returns the condition that a row has one of `count` owner names, in any case (RFC 4343): other tools
 * store capitals. The index `zw_records_capitals` finds these rows. MariaDB's collation ignores case.
 */
export function nameCondition({ comparesBytes }: SqlDialect, count: number): string {
  const list = Array.from({ length: count }, () => '?').join(', ')
  if (!comparesBytes) return `name in (${list})`
  return `(name in (${list}) or (name <> lower(name) and lower(name) in (${list})))`
}

/** Longer than the column of names. */
const NO_NAME = '-'.repeat(256)

/** Returns the values for `nameCondition`. */
export function nameBindings({ comparesBytes }: SqlDialect, names: readonly string[]): string[] {
  if (comparesBytes) return [...names, ...names.map(foldCase)]
  // A Latin 1 column does not compare with other characters, and has no row with them.
  return names.map((name) => (/^[\0-\xff]*$/.test(name) ? name : NO_NAME))
}

/**
 * Excludes empty non-terminals, which have no type. Nearly every row matches, so the form of the condition prevents its use
 * for a lookup.
 */
export function onlyRecords<Row>(
  rows: DatabaseQueryBuilderContract<Row>
): DatabaseQueryBuilderContract<Row> {
  return rows.whereRaw("coalesce(type, '') <> ''")
}

/** Narrows to the rows of a zone with these ids. */
export function withIds<Row>(
  rows: DatabaseQueryBuilderContract<Row>,
  zoneId: number,
  ids: number[]
): DatabaseQueryBuilderContract<Row> {
  return rows.whereRaw('+domain_id = ?', [zoneId]).whereIn('id', ids)
}
