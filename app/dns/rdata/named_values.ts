/** Values that a sentence names: the first of them, and how many there are besides. */
export interface NamedValues {
  first: string[]
  more: number
}

/** Values that are named; a set may have thousands. */
const MAX_NAMED = 5

/** @param longest characters of a value that are shown; what is longer is cut */
export function namedValues(values: string[], longest = Infinity): NamedValues {
  const first = values
    .slice(0, MAX_NAMED)
    .map((value) => (value.length > longest ? `${value.slice(0, longest)}…` : value))
  return { first, more: values.length - first.length }
}
