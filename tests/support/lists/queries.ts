import fc from 'fast-check'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import type { Parameters, ReferenceRow } from '#tests/support/lists/reference'
import { PARTS } from '#tests/support/lists/texts'

/** Valid and invalid values of `per_page`. */
const SIZES = ['1', '2', '3', '7', '25', '10000', '99999', '007']
const NO_SIZES = ['', '0', '-3', 'ten', '1.5', '٣', ' 5', '1e2', '0x10']
const PAGES = ['1', '2', '3', '5', '99999999999999999999', '', '0', '-1', 'x', '2.0']

/** Generates random requests of a list: mostly valid ones, some invalid ones, and some with unknown parameters. */
export function queriesOf(
  { reference, words, foldedBy }: ListUnderTest,
  rows: ReferenceRow[]
): fc.Arbitrary<Parameters> {
  const isSorted = Object.keys(reference.sort).length > 0
  const anyOf = (...values: string[]) => fc.constantFrom(...values)
  const cells = (field: string) =>
    rows.map((row) => String(row.cells[field] ?? '')).filter((text) => text !== '')
  const filters = Object.entries(reference.filters ?? {}).map(([name, match]) => {
    const known = typeof match === 'string' ? [...cells(name), ...words] : [...match]
    const wrong = typeof match === 'string' ? 'nothing such' : 'neither'
    const tenths = reference.lookup?.includes(name) ? 1 : 4
    return [name, often(tenths, anyOf(...known, wrong, '', ' '))] as const
  })
  const parts = reference.q.flatMap((field) => cells(field).map((text) => text.slice(0, 4)))
  const texts = foldedBy === 'either' ? PARTS.filter((text) => !text.includes('İ')) : PARTS
  const query = fc.record<Record<string, string | undefined>>({
    sort: often(8, sorts([...Object.keys(reference.sort), ...(isSorted ? [] : ['id'])])),
    q: often(4, anyOf(...texts, ...parts.slice(0, 40))),
    page: often(5, anyOf(...PAGES)),
    per_page: often(7, fc.oneof({ weight: 4, arbitrary: anyOf(...SIZES) }, anyOf(...NO_SIZES))),
    limit: often(1, anyOf('1', 'x')),
    ...Object.fromEntries(filters),
  })
  return query.map((given) => {
    const entries = Object.entries(given).filter(([, value]) => value !== undefined)
    return Object.fromEntries(entries) as Parameters
  })
}

/** Generates orders: one to five fields, some in upper case or with blanks, a few invalid. */
function sorts(fields: string[]): fc.Arbitrary<string> {
  const direction = fc.constantFrom('', '', ':asc', ':desc', ':desc', ' : DESC ')
  const item = (names: fc.Arbitrary<string>) =>
    fc.tuple(names, direction).map(([name, way]) => `${name}${way}`)
  const right = fc
    .shuffledSubarray(fields, { minLength: 1, maxLength: Math.min(5, fields.length) })
    .chain((some) =>
      fc.tuple(...some.map((name) => item(fc.constantFrom(name, name.toUpperCase()))))
    )
  const mixed = fc.array(item(fc.constantFrom(...fields, 'nonsense', '')), { maxLength: 7 })
  const odd = fc.constantFrom(
    `${fields[0]}:up`,
    `${fields[0]}:asc:desc`,
    `${fields[0]},${fields[0]}`,
    fields.concat(fields).join(','),
    ',',
    ':desc',
    '__proto__',
    'constructor',
    '',
    ' '
  )
  return fc.oneof(
    { weight: 6, arbitrary: right.map((items) => items.join(',')) },
    { weight: 1, arbitrary: mixed.map((items) => items.join(',')) },
    { weight: 1, arbitrary: odd }
  )
}

/** Generates a value in the given number of ten cases. */
function often(tenths: number, values: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: tenths, arbitrary: values },
    { weight: 10 - tenths, arbitrary: fc.constant(undefined) }
  )
}

/** Orders of records with sort keys, and two without. */
export const SORTS = [
  ...['name', 'name:desc', 'content', 'content:desc,ttl', 'name:desc,type', 'type', 'type:desc'],
  ...['type:desc,name', 'type,name:desc', 'ttl', 'ttl:desc', 'ttl,name', 'ttl:desc,name:desc'],
  ...['priority', 'priority:desc', 'priority:desc,name', 'type,ttl:desc,content'],
]

/** Orders of RRsets with sort keys, and two without. */
export const SET_SORTS = [
  ...['name', 'name:desc,type', 'type', 'type:desc', 'type,name:desc', 'ttl', 'ttl:desc,name'],
  ...['ttl,type:desc', 'name,ttl:desc'],
]
