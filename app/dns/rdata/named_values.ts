/** Values in a sentence: the first ones, and the number of the others. */
export interface NamedValues {
  first: string[]
  more: number
}

/** Maximum number of listed values; a set may have thousands. */
const MAX_VALUES = 5

/** @param longest maximum characters per value; longer values are cut */
export function namedValues(values: string[], longest = Infinity): NamedValues {
  const first = values
    .slice(0, MAX_VALUES)
    .map((value) => (value.length > longest ? `${value.slice(0, longest)}…` : value))
  return { first, more: values.length - first.length }
}
