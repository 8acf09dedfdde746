/** A JSON value. */
export type Json =
  string | number | boolean | null | Json[] | { [member: string]: Json | undefined }

/**
 * Returns the canonical form of a JSON value (RFC 8785): members by UTF-16 code units, no white
 * space, numbers and strings as in ECMAScript. Omits undefined members and escapes lone surrogates,
 * which the RFC refuses. Throws a TypeError for NaN and Infinity.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(',')}]`
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter((entry): entry is [string, Json] => entry[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${value} is not a JSON number`)
  }
  return JSON.stringify(value)
}
