import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { whereLike } from '#database/trigram_index/like'
import { likePatterns } from '#dns/search/patterns'
import { isText, type Term } from '#dns/search/terms'

/** Columns of the search fields, each with its table. Absent if the rows do not have the field. */
export interface SearchedColumns {
  zone: string
  name: string
  type?: string
  content?: string
  comment?: string
  /** Columns that words without a field search. */
  words: string[]
  ttl?: string
  disabled?: string
}

/**
 * Restricts a query to rows that match all terms. A term with a field that the rows do not have matches none, its negation
 * all.
 *
 * @returns whether any row can match
 */
export function restrictToTerms(
  rows: DatabaseQueryBuilderContract,
  terms: readonly Term[],
  columns: SearchedColumns
): boolean {
  return terms.map((term) => restrictToTerm(rows, term, columns)).every(Boolean)
}

function restrictToTerm(
  rows: DatabaseQueryBuilderContract,
  term: Term,
  columns: SearchedColumns
): boolean {
  const { negated } = term
  if (isText(term)) {
    const column = term.field === 'word' ? columns.words : columns[term.field]
    if (column === undefined) {
      return negated
    }
    whereLike(rows, [column].flat(), likePatterns(term), negated)
    return true
  }
  const column = columns[term.field]
  if (column === undefined) {
    return negated
  }
  if (term.field === 'type') {
    whereLike(rows, [column], term.types, negated)
  } else if (term.field === 'ttl') {
    // The operator is one of five that the parser knows.
    const condition = `coalesce(??, 0) ${term.comparison} ?`
    rows.whereRaw(negated ? `not (${condition})` : condition, [column, term.seconds])
  } else {
    rows.whereRaw(`coalesce(??, false) = ?`, [column, term.value !== negated])
  }
  return true
}
