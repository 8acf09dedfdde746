/** A JSON value. */
export type Json =
  string | number | boolean | null | Json[] | { [member: string]: Json | undefined }

/**
 * The one text of a JSON value (RFC 8785): members in the order of their names' UTF-16 code units, no white
 * space, numbers and strings as ECMAScript writes them. Members that are undefined are left out. A lone
 * surrogate, which the RFC refuses, stays an escape. Throws a TypeError for numbers that JSON has not.
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
