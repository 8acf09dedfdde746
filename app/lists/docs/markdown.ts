import type { ListDeclaration, Match, Order } from '#lists/declaration'

/** Heading of the table of lists in docs/reference/api.md. */
export const LIST_TABLE_HEADINGS = [
  'List',
  '`sort`',
  'Filters',
  '`q` searches in',
  'Without `sort`',
] as const

const ORDER_NOTES: Record<Order, string> = {
  number: '',
  plain: '',
  caseless: ' (caseless)',
  natural: ' (natural)',
}

/** A row of that table: the parameters of a list. */
export function formatListRow(path: string, list: ListDeclaration): string[] {
  const fields = Object.entries(list.sort).map(
    ([field, order]) => `\`${field}\`${ORDER_NOTES[order]}`
  )
  const filters = Object.entries(list.filters).map(([name, match]) => filterText(name, match))
  const search = list.search.map((field) => `\`${field}\``)
  const order = list.defaultOrder.map(({ field, descending }) => {
    return `\`${field}\`${descending ? ' descending' : ''}`
  })
  return [`\`${path}\``, ...[fields, filters, search, order].map((parts) => parts.join(', '))]
}

function filterText(name: string, match: Match): string {
  return typeof match === 'string'
    ? `\`${name}\` (${match})`
    : `\`${name}\` (${match.map((word) => `\`${word}\``).join(' or ')})`
}
