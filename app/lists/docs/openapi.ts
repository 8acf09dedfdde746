import type { ListDeclaration, Match, Order } from '#lists/declaration'
import { MAX_PER_PAGE, CURSOR_PAGE_SIZE } from '#lists/page'
import { MAX_SORT_FIELDS } from '#lists/query'

/** A parameter of an operation of an OpenAPI 3.1 description; its schema is one of JSON Schema 2020-12. */
export interface OpenApiParameter {
  name: string
  in: 'query'
  description: string
  schema: {
    type: 'integer' | 'string'
    minimum?: number
    maximum?: number
    default?: number
    pattern?: string
    enum?: readonly string[]
  }
}

const ORDER_TEXTS: Record<Order, string> = {
  number: 'by size',
  plain: 'by character',
  caseless: 'by character, ignoring case',
  natural: 'ignoring case, with numbers by size',
}

const MATCH_TEXTS: Record<Extract<Match, string>, string> = {
  exact: 'equal to this value',
  caseless: 'equal to this value, ignoring case',
  contains: 'a text that contains this value, ignoring case',
}

const UNICODE_MATCH_NOTE = ' International names match by their Unicode characters, label by label.'

/** The query parameters of a list, in the order in which documentation shows them. */
export function listParameters(list: ListDeclaration): OpenApiParameter[] {
  const search = list.search.length > 0 ? [searchParameter(list)] : []
  return [
    parameter('page', 'Number of the page, from 1. Needs `per_page`.', {
      type: 'integer',
      minimum: 1,
      default: 1,
    }),
    parameter(
      'per_page',
      'Number of rows per page. Without it, or with 0, the answer has the whole list.',
      {
        type: 'integer',
        minimum: 0,
        maximum: MAX_PER_PAGE,
        default: 0,
      }
    ),
    parameter(
      'cursor',
      'The `next_cursor` of the previous page, or `*` for the first page. Changes since then do not shift rows. ' +
        `A page has \`per_page\` rows, or ${CURSOR_PAGE_SIZE} by default.`,
      { type: 'string' }
    ),
    ...(Object.keys(list.sort).length > 0 ? [sortParameter(list)] : []),
    ...Object.entries(list.filters).map(([name, match]) => filterParameter(list, name, match)),
    ...search,
  ]
}

function parameter(
  name: string,
  description: string,
  schema: OpenApiParameter['schema']
): OpenApiParameter {
  return { name, in: 'query', description, schema }
}

function sortParameter({ sort, defaultOrder }: ListDeclaration): OpenApiParameter {
  const fields = Object.entries(sort).map(
    ([field, order]) => `\`${field}\` (${ORDER_TEXTS[order]})`
  )
  const itemPattern = `(${Object.keys(sort).join('|')})(:(asc|desc))?`
  const order = defaultOrder.map(({ field, descending }) => `${field}${descending ? ':desc' : ''}`)
  return parameter(
    'sort',
    `At most ${MAX_SORT_FIELDS} fields, each at most once: ${fields.join(', ')}. ` +
      `Absent values come first. The default order is \`${order.join(',')}\`.`,
    { type: 'string', pattern: `^${itemPattern}(,${itemPattern}){0,${MAX_SORT_FIELDS - 1}}$` }
  )
}

function filterParameter({ names }: ListDeclaration, name: string, match: Match): OpenApiParameter {
  if (typeof match !== 'string') {
    return parameter(name, `Only rows with this \`${name}\`.`, { type: 'string', enum: match })
  }
  const unicodeNote = match !== 'exact' && names?.includes(name) ? UNICODE_MATCH_NOTE : ''
  return parameter(name, `Only rows whose \`${name}\` is ${MATCH_TEXTS[match]}.${unicodeNote}`, {
    type: 'string',
  })
}

function searchParameter({ search, names }: ListDeclaration): OpenApiParameter {
  const fields = search.map((field) => `\`${field}\``).join(', ')
  const unicodeNote = search.some((field) => names?.includes(field)) ? UNICODE_MATCH_NOTE : ''
  return parameter(
    'q',
    `Only rows that contain this text, ignoring case, in one of ${fields}.${unicodeNote}`,
    { type: 'string' }
  )
}
