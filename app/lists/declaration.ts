/**
 * Order of the values of a field: as numbers, as stored, without case, or without case and with numbers by value (host2 before
 * host10). Null comes first.
 */
export type Order = 'number' | 'plain' | 'caseless' | 'natural'

/** How a filter matches: the whole value, the whole value without case, a part of it, or one of these words. */
export type Match = 'exact' | 'caseless' | 'contains' | readonly string[]

/** One field of an order. */
export interface SortField<Field extends string = string> {
  field: Field
  descending?: boolean
}

/**
 * The parameters of a list, for the parser of queries, the database query, and the documentation. Fields are members of the
 * rows.
 */
export interface ListDeclaration<
  Field extends string = string,
  Column extends string = string,
  Filter extends string = string,
> {
  /** Fields for `sort`. */
  sort: Readonly<Record<Field, Order>>
  /** Parameters that narrow the list, each named as its field. */
  filters: Readonly<Record<Filter, Match>>
  /** Fields that `q` searches. */
  search: readonly Column[]
  /** Fields with names. Filters that are not exact, and `q`, also match the Unicode form of each label. */
  names?: readonly string[]
  /** Order without `sort`. Its last field is unique, and ends every other order too. */
  defaultOrder: readonly SortField<Column>[]
  /**
   * Why the list is short in every installation, so that it is read completely. Other lists are read in pages and sent
   * in batches.
   */
  shortReason?: string
}

/** Declares a list and preserves the literal types of its members. */
export function defineList<
  const Field extends string,
  const Column extends string,
  const Filter extends string = never,
>(list: {
  sort: Record<Field, Order>
  filters?: Record<Filter, Match>
  search: Column[]
  names?: NoInfer<Column | Filter>[]
  defaultOrder: SortField<Column>[]
  shortReason?: string
}): ListDeclaration<Field, Column, Filter> {
  return { ...list, filters: list.filters ?? ({} as Record<Filter, Match>) }
}
