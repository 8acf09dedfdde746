/**
 * How the values of a field compare: as numbers, as stored, whatever their case, or whatever their case
 * with numbers in them by size (host2 before host10). Absent values come first.
 */
export type Order = 'number' | 'plain' | 'caseless' | 'natural'

/** How a filter matches: the whole value, whatever its case too, a part of it, or one of these words. */
export type Match = 'exact' | 'caseless' | 'contains' | readonly string[]

/** One field of an order. */
export interface Sorting<Field extends string = string> {
  field: Field
  descending?: boolean
}

/**
 * What a list can be asked for: the one place that says it, for the parser of queries, for what answers
 * them, and for the documentation. Fields are members of the rows of the list.
 */
export interface ListDeclaration<
  Field extends string = string,
  Column extends string = string,
  Filter extends string = string,
> {
  /** Fields that `sort` takes. */
  sort: Readonly<Record<Field, Order>>
  /** Parameters that narrow the list, each named as its field. */
  filters: Readonly<Record<Filter, Match>>
  /** Fields in which `q` looks for its text. */
  search: readonly Column[]
  /** Fields that hold names: filters but exact ones, and `q`, find international names there by their letters, label by label. */
  names?: readonly string[]
  /** Without `sort`; its last field tells all rows apart and ends every other order too. */
  defaultOrder: readonly Sorting<Column>[]
  /**
   * Why the list is short whatever the installation holds, and may be read whole. Every other list is read by windows, and
   * sent in batches where all of it is asked for.
   */
  short?: string
}

/** Declares a list; its members keep their literal types. */
export function defineList<
  const Field extends string,
  const Column extends string,
  const Filter extends string = never,
>(list: {
  sort: Record<Field, Order>
  filters?: Record<Filter, Match>
  search: Column[]
  names?: NoInfer<Column | Filter>[]
  defaultOrder: Sorting<Column>[]
  short?: string
}): ListDeclaration<Field, Column, Filter> {
  return { ...list, filters: list.filters ?? ({} as Record<Filter, Match>) }
}
