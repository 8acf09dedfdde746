import { invalid } from '#exceptions/refusal'
import type { ListDeclaration, Order, SortField } from '#lists/declaration'
import { parsePage, type Page } from '#lists/page'

/** The parsed parameters of a list. */
export interface ListQuery<Field extends string = string, Filter extends string = string> {
  /** Empty for the default order. */
  sort: SortField<Field>[]
  filters: Partial<Record<Filter, string>>
  /** Searched text, compared without case. */
  q: string | null
  /** null is the whole list. */
  page: Page | null
}

/** The whole list in its default order. */
export const WHOLE_LIST: ListQuery<never, never> = { sort: [], filters: {}, q: null, page: null }

/** Maximum number of fields in `sort`. */
export const MAX_SORT_FIELDS = 5

/**
 * Parses the parameters of a list: `sort`, `q`, `page`, `per_page` and the declared filters. Ignores other and empty ones.
 * Throws a 400 `Refusal` that lists the allowed values.
 */
export function listQuery<Field extends string, Column extends string, Filter extends string>(
  list: ListDeclaration<Field, Column, Filter>,
  parameters: Record<string, unknown>
): ListQuery<Field, Filter> {
  const filters = Object.entries(list.filters).flatMap(([name, match]) => {
    const value = text(parameters[name])
    return value === null ? [] : [[name, filterValue(name, value, match as Filter)]]
  })
  return {
    sort: parseSort(list, text(parameters.sort)),
    filters: Object.fromEntries(filters) as Partial<Record<Filter, string>>,
    // A list without searched fields ignores `q`.
    q: list.search.length > 0 ? text(parameters.q) : null,
    page: parsePage(parameters),
  }
}

/** The order of the query, or the default order. The unique field at its end makes it total. */
export function orderOf<Field extends string, Column extends string, Filter extends string>(
  { defaultOrder }: ListDeclaration<Field, Column, Filter>,
  { sort }: Pick<ListQuery<Field, Filter>, 'sort'>
): readonly SortField<Field | Column>[] {
  if (sort.length === 0) {
    return defaultOrder
  }
  const uniqueField = defaultOrder[defaultOrder.length - 1]
  // Fields after a unique one do not change the order.
  const end = sort.findIndex(({ field }) => (field as string) === uniqueField.field)
  return end === -1 ? [...sort, uniqueField] : sort.slice(0, end + 1)
}

/** The order as text, such as `name,id:desc`. A key is valid in this order only. */
export function orderText<Field extends string, Column extends string, Filter extends string>(
  list: ListDeclaration<Field, Column, Filter>,
  query: Pick<ListQuery<Field, Filter>, 'sort'>
): string {
  const fields = orderOf(list, query)
  return fields.map(({ field, descending }) => `${field}${descending ? ':desc' : ''}`).join(',')
}

/** How the values of each field of the order compare. */
export function ordersOf<Field extends string, Column extends string, Filter extends string>(
  list: ListDeclaration<Field, Column, Filter>,
  query: Pick<ListQuery<Field, Filter>, 'sort'>
): { field: Field | Column; order: Order; descending: boolean }[] {
  const orders: Record<string, Order | undefined> = list.sort
  return orderOf(list, query).map(({ field, descending }) => {
    return { field, order: orders[field] ?? 'plain', descending: descending === true }
  })
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function filterValue(name: string, value: string, match: string | readonly string[]): string {
  if (typeof match === 'string') {
    return value
  }
  const word = match.find((known) => known === value.trim().toLowerCase())
  if (word === undefined) {
    throw invalid(
      `Query parameter '${name}' must be one of ${match.join(', ')}, found ${quoteValue(value)}`
    )
  }
  return word
}

function parseSort<Field extends string, Column extends string, Filter extends string>(
  { sort }: ListDeclaration<Field, Column, Filter>,
  value: string | null
): SortField<Field>[] {
  if (value === null) {
    return []
  }
  const allowed = Object.keys(sort) as Field[]
  if (allowed.length === 0) {
    // The list has one order only.
    return []
  }
  const allowedFieldsText = `Allowed fields: ${allowed.join(', ')}`
  const items = value.split(',')
  if (items.length > MAX_SORT_FIELDS) {
    throw invalid(
      `Query parameter 'sort' accepts at most ${MAX_SORT_FIELDS} fields, found ${items.length}. ${allowedFieldsText}`
    )
  }
  const usedFields = new Set<Field>()
  return items.map((item) => {
    const [name, direction = 'asc', ...extraParts] = item
      .split(':')
      .map((part) => part.trim().toLowerCase())
    const field = allowed.find((known) => known === name)
    if (field === undefined) {
      throw invalid(`Invalid sort field ${quoteValue(name)}. ${allowedFieldsText}`)
    }
    if (extraParts.length > 0 || !['asc', 'desc'].includes(direction)) {
      const directionText = quoteValue([direction, ...extraParts].join(':'))
      throw invalid(
        `Invalid sort direction ${directionText} of field '${field}': must be asc or desc. ${allowedFieldsText}`
      )
    }
    if (usedFields.has(field)) {
      throw invalid(`Sort field '${field}' appears twice. ${allowedFieldsText}`)
    }
    usedFields.add(field)
    return { field, descending: direction === 'desc' }
  })
}

function quoteValue(value: string): string {
  return JSON.stringify(value.slice(0, 100))
}
