/*
 * Decodes JSON as a Go program unmarshals it into structs. An absent or null member is the zero value of its type, another
 * type is an error, and unknown members are ignored. `wanted` marks members that a client requires.
 */

/** Decodes a value, or throws a `DecodeError` with the path of the value. */
export type Decoder<T> = (value: unknown, place: string) => T

/** An error that Go reports as "cannot unmarshal". */
export class DecodeError extends Error {
  constructor(place: string, type: string, value: unknown) {
    super(`cannot unmarshal ${JSON.stringify(value)} into ${place} of type ${type}`)
  }
}

const isZero = (value: unknown) => value === undefined || value === null

/** `int`: a number without a fraction. */
export const int: Decoder<number> = (value, place) => {
  if (isZero(value)) return 0
  if (!Number.isSafeInteger(value)) throw new DecodeError(place, 'int', value)
  return value as number
}

/** `string`. */
export const text: Decoder<string> = (value, place) => {
  if (isZero(value)) return ''
  if (typeof value !== 'string') throw new DecodeError(place, 'string', value)
  return value
}

/** `bool`. */
export const bool: Decoder<boolean> = (value, place) => {
  if (isZero(value)) return false
  if (typeof value !== 'boolean') throw new DecodeError(place, 'bool', value)
  return value
}

/** The flag type of several clients: only true, false, 1 or 0. */
export const flag: Decoder<boolean> = (value, place) => {
  if (![true, false, 0, 1].includes(value as boolean)) throw new DecodeError(place, 'flag', value)
  return Boolean(value)
}

/** `*int`: a number without a fraction, or null. */
export const intPointer: Decoder<number | null> = (value, place) =>
  isZero(value) ? null : int(value, place)

/** An id as a number or a string, decoded as a string. */
export const identifier: Decoder<string> = (value, place) =>
  typeof value === 'string' ? text(value, place) : String(int(value, place))

/** A slice. */
export function list<T>(item: Decoder<T>): Decoder<T[]> {
  return (value, place) => {
    if (isZero(value)) return []
    if (!Array.isArray(value)) throw new DecodeError(place, 'slice', value)
    return value.map((one, index) => item(one, `${place}[${index}]`))
  }
}

/** `map[string]T`. */
export function mapOf<T>(item: Decoder<T>): Decoder<Record<string, T>> {
  return (value, place) =>
    Object.fromEntries(
      Object.entries(members(value, place)).map(([name, one]) => [
        name,
        item(one, `${place}.${name}`),
      ])
    )
}

/** A struct. */
export function struct<S extends Record<string, Decoder<unknown>>>(
  shape: S
): Decoder<{ [K in keyof S]: ReturnType<S[K]> }> {
  return (value, place) => {
    const given = members(value, place)
    const read = Object.entries(shape).map(([name, decode]) => [
      name,
      decode(given[name], `${place}.${name}`),
    ])
    return Object.fromEntries(read) as { [K in keyof S]: ReturnType<S[K]> }
  }
}

/** A member that the client requires. */
export function wanted<T>(decode: Decoder<T>): Decoder<T> {
  return (value, place) => {
    if (isZero(value)) throw new DecodeError(place, 'something', value)
    return decode(value, place)
  }
}

function members(value: unknown, place: string): Record<string, unknown> {
  if (isZero(value)) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new DecodeError(place, 'struct', value)
  }
  return value as Record<string, unknown>
}
