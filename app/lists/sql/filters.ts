import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ListDeclaration, Match } from '#lists/declaration'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'
import { spellingsIn } from '#lists/name_spellings'
import {
  columnOf,
  containsCondition,
  equalsCaselessCondition,
  equalsCondition,
} from '#lists/sql/columns'

type RowQuery = DatabaseQueryBuilderContract

/** Restricts a query to rows that match the filters. */
export function restrictByFilters(
  rows: RowQuery,
  list: ListDeclaration,
  { filters }: ListQuery,
  { columns }: ListSource
): void {
  for (const [field, value] of Object.entries(filters as Record<string, string>)) {
    const texts = spellingsIn(list, field, value)
    restrictToMatch(rows, columnOf(columns[field]), value, list.filters[field], texts)
  }
}

/** Restricts a query to rows that contain a text in one of the searched fields. */
export function restrictByText(
  rows: RowQuery,
  list: ListDeclaration,
  q: string,
  { columns }: ListSource
): void {
  rows.where((condition) => {
    condition.whereRaw('1 = 0')
    list.search.forEach((field) => {
      for (const text of spellingsIn(list, field, q)) {
        condition.orWhereRaw(...containsCondition(rows.client, columnOf(columns[field]), text))
      }
    })
  })
}

/**
 * Counts the rows of a query without selected columns.
 *
 * @param maxCount stops at this number
 */
export async function countRows(rows: RowQuery, maxCount?: number): Promise<number> {
  const { client } = rows
  const counted =
    maxCount === undefined
      ? rows
      : client.from(rows.select(client.raw('1 as one')).limit(maxCount).as('counted'))
  const [{ total }] = (await counted.count('* as total')) as { total: number | string }[]
  return Number(total)
}

/** @param texts the spellings of the value, any of which counts unless it has to be exact */
function restrictToMatch(
  rows: RowQuery,
  column: string,
  value: string,
  match: Match,
  texts: string[]
): void {
  const { client } = rows
  if (match !== 'contains' && match !== 'caseless') {
    rows.whereRaw(...equalsCondition(client, column, value))
    return
  }
  const buildCondition = match === 'contains' ? containsCondition : equalsCaselessCondition
  const conditions = texts.map((text) => buildCondition(client, column, text))
  const sql = conditions.map(([one]) => one).join(' or ')
  rows.whereRaw(
    `(${sql})`,
    conditions.flatMap(([, bindings]) => bindings)
  )
}
