import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/*
 * Look-ups of a few rows of `records`. The sign before the zone's id keeps SQLite, which knows nothing of how
 * rows are spread, from the indexes that begin with it: by them it would go through all rows of the zone.
 */

/** Narrows to the rows of a zone at these owner names. A name is in one zone, or in few. */
export function atNames<Row>(
  rows: DatabaseQueryBuilderContract<Row>,
  zoneId: number,
  names: string[]
): DatabaseQueryBuilderContract<Row> {
  return rows.whereRaw('+domain_id = ?', [zoneId]).whereIn('name', names)
}

/**
 * Excludes empty non-terminals, which have no type. Nearly every row matches, so the form of the condition prevents its use
 * for a lookup.
 */
export function areRecords<Row>(
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
