/** Values bound in one statement, or rows of one insert; the databases limit both. */
export const CHUNK = 500

/**
 * UTF-8 bytes of the values of one statement. MariaDB takes 16 MiB in one packet as it comes (`max_allowed_packet`), older
 * servers 4, and what is escaped on the way is up to twice as long.
 */
export const CHUNK_BYTES = 2 ** 20

/**
 * Splits a list for statements with one bound value, or one row, an item. Inserts of many columns take
 * fewer rows at once (`size`): SQLite binds 32 766 values at most. No part has more than `bytes`, but for a single item that
 * has more itself (`textParts` splits texts).
 */
export function chunks<T>(items: T[], size: number = CHUNK, bytes: number = CHUNK_BYTES): T[][] {
  const parts: T[][] = []
  let part: T[] = []
  let held = 0
  for (const item of items) {
    const more = bytesOf(item)
    if (part.length > 0 && (part.length >= size || held + more > bytes)) {
      parts.push(part)
      part = []
      held = 0
    }
    part.push(item)
    held += more
  }
  return part.length > 0 ? [...parts, part] : parts
}

/** Splits a text into such as fit into a row each, with others in the same statement; an empty one is one part. */
export function textParts(text: string, bytes: number = CHUNK_BYTES): string[] {
  // UTF-8 has at most three bytes for a unit of UTF-16, and four for a pair, which stays together.
  const length = Math.max(2, Math.floor(bytes / 3))
  const parts: string[] = []
  for (let from = 0; from < text.length || parts.length === 0;) {
    const to = from + length
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to
    parts.push(text.slice(from, end))
    from = end
  }
  return parts
}

/** About how long a value is in a statement. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value)
  }
  if (value instanceof Uint8Array) {
    return value.length
  }
  if (typeof value !== 'object' || value === null) {
    return 8
  }
  return Object.values(value).reduce((sum: number, inner) => sum + bytesOf(inner), 0)
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
