import type { ZoneMatches } from '#backends/sql/lists/matches'
import { narrowed, type RecordFilters } from '#backends/sql/lists/narrowed'
import type { ListDeclaration } from '#lists/declaration'
import { pageOf, type Listed } from '#lists/listed'
import type { Page } from '#lists/page'
import type { ListSource } from '#lists/source'
import { ListView } from '#lists/view'

/** So many records at the start of a list are looked at before all are. An object, so that tests can have few. */
export const FIRST_RECORDS = { looked: 5_000 }

/**
 * A page near the start of what filters leave of a large zone, if many of the first records are among it: these are looked at,
 * and the others only counted. Who types a text to look for sees what the zone has of it before all of it is found. null where
 * that is not so, or where all is known already. Throws the driver's error.
 *
 * @param list   an order that an index serves, without filters
 * @param source the records of the type that is asked for, whatever the other filters
 */
export async function firstMatches<Row, Column extends string>(
  matches: ZoneMatches,
  query: RecordFilters,
  page: Page,
  list: ListDeclaration<never, Column, never>,
  source: ListSource<Column>
): Promise<Listed<Row> | null> {
  const isNear = page.after === undefined && page.offset + page.size < FIRST_RECORDS.looked
  if (!isNear || matches.areLookedFor(query)) {
    return null
  }
  const { client, tables } = matches
  const all = { sort: [], filters: {}, q: null, page: null }
  const first = () => new ListView(list, all, source).first(FIRST_RECORDS.looked)
  const view = new ListView<Row>(list, all, {
    ...source,
    matching: () => narrowed(client.from(first().as(tables.records)), client, query, true),
  })
  const found = await view.after(null, page.size + 1, page.offset)
  if (found.length <= page.size) {
    return null
  }
  const counted = await matches.count(query, page.countTo)
  // Others may have written in between.
  const total = Math.max(counted.total, page.offset + found.length)
  return { ...pageOf(found, page.size, false), ...counted, total }
}
