import type { ZoneMatches } from '#backends/sql/lists/matches'
import { narrowed, type RecordFilters } from '#backends/sql/lists/narrowed'
import { chunks } from '#database/chunks'
import type { ListDeclaration } from '#lists/declaration'
import { pageOf, type Keyed, type Listed } from '#lists/listed'
import type { Page } from '#lists/page'
import type { ById } from '#lists/sieve'
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
  if (!isNear(page) || matches.areLookedFor(query)) {
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
  return counted(matches, query, page, found)
}

/**
 * As `firstMatches`, in an order of what is stored beside the records: the ids that come first in it are looked up, some at a
 * time. Of a text that hardly one of them holds, little is looked at.
 *
 * @param view the list in that order, whatever the filters
 * @param by   the ids of the records in it
 */
export async function firstMatchesById<Row>(
  matches: ZoneMatches,
  query: RecordFilters,
  page: Page,
  view: ListView<Row>,
  by: ById
): Promise<Listed<Row> | null> {
  if (!isNear(page) || matches.areLookedFor(query)) {
    return null
  }
  const wanted = page.offset + page.size + 1
  const { ids } = await view.ids(by, null, FIRST_RECORDS.looked, false)
  const left: number[] = []
  for (const part of chunks(ids)) {
    left.push(...(await matches.among(query, part)))
    if (left.length >= wanted || left.length === 0) break
  }
  const found = await view.withIds(by, left.slice(page.offset, wanted))
  // Fewer than were left: others deleted some in between.
  return found.length <= page.size ? null : counted(matches, query, page, found)
}

function isNear({ after, offset, size }: Page): boolean {
  return after === undefined && offset + size < FIRST_RECORDS.looked
}

async function counted<Row>(
  matches: ZoneMatches,
  query: RecordFilters,
  page: Page,
  found: Keyed<Row>[]
): Promise<Listed<Row>> {
  const all = await matches.count(query, page.countTo)
  // Others may have written in between.
  const total = Math.max(all.total, page.offset + found.length)
  return { ...pageOf(found, page.size, false), ...all, total }
}
