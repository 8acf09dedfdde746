import type { ListDeclaration, Order } from '#lists/declaration'
import { orderOf, type ListQuery } from '#lists/query'

/** What one field of an order compares by: a number, a text that sorts as the field does, or nothing. */
export type KeyValue = string | number | null

/**
 * Where a row lies in the order of a list: a value for each field of it. It tells the row from all others, and
 * stays right while rows come and go.
 */
export type RowKey = readonly KeyValue[]

/** The order in words, such as `name,id:desc`. A key means nothing in another order. */
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
