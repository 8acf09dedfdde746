import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ListDeclaration, Match } from '#lists/declaration'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'
import { spellingsIn } from '#lists/name_spellings'
import { columnOf, containing, equalTo, sameAs } from '#lists/sql/columns'

type Rows = DatabaseQueryBuilderContract

/** Leaves the rows that the filters of a query leave. */
export function narrowByFilters(
  rows: Rows,
  list: ListDeclaration,
  { filters }: ListQuery,
  { columns }: ListSource
): void {
  for (const [field, value] of Object.entries(filters as Record<string, string>)) {
    const texts = spellingsIn(list, field, value)
    narrow(rows, columnOf(columns[field]), value, list.filters[field], texts)
  }
}

/** Restricts a query to rows that contain a text in one of the searched fields. */
export function narrowByText(
  rows: Rows,
  list: ListDeclaration,
  q: string,
  { columns }: ListSource
): void {
  rows.where((some) => {
    some.whereRaw('1 = 0')
    list.search.forEach((field) => {
      for (const text of spellingsIn(list, field, q)) {
        some.orWhereRaw(...containing(rows.client, columnOf(columns[field]), text))
      }
    })
  })
}

/**
 * Counts the rows of a query without selected columns.
 *
 * @param most stops at this number
 */
export async function countRows(rows: Rows, most?: number): Promise<number> {
  const { client } = rows
  const counted =
    most === undefined
      ? rows
      : client.from(rows.select(client.raw('1 as one')).limit(most).as('counted'))
  const [{ total }] = (await counted.count('* as total')) as { total: number | string }[]
  return Number(total)
}

/** @param texts the spellings of the value, any of which counts unless it has to be exact */
function narrow(rows: Rows, column: string, value: string, match: Match, texts: string[]): void {
  const { client } = rows
  if (match !== 'contains' && match !== 'caseless') {
    rows.whereRaw(...sameAs(client, column, value))
    return
  }
  const compared = match === 'contains' ? containing : equalTo
  const conditions = texts.map((text) => compared(client, column, text))
  const sql = conditions.map(([one]) => one).join(' or ')
  rows.whereRaw(
    `(${sql})`,
    conditions.flatMap(([, bindings]) => bindings)
  )
}
