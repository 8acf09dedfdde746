/** Bound values of one statement, or rows of one insert. The databases limit both. */
export const CHUNK_SIZE = 500

/**
 * UTF-8 bytes of the values of one statement. The default limit of MariaDB is 16 MiB (`max_allowed_packet`), of older servers
 * 4 MiB, and escaping doubles a text at most.
 */
export const CHUNK_BYTES = 2 ** 20

/**
 * Splits a list for statements with one value or row per item. Use a smaller `size` for rows of many columns: SQLite binds
 * at most 32 766 values. A part has at most `bytes`, except for a single larger item (`textParts` splits texts).
 */
export function chunks<T>(
  items: T[],
  size: number = CHUNK_SIZE,
  bytes: number = CHUNK_BYTES
): T[][] {
  const parts: T[][] = []
  let part: T[] = []
  let partBytes = 0
  for (const item of items) {
    const itemBytes = bytesOf(item)
    if (part.length > 0 && (part.length >= size || partBytes + itemBytes > bytes)) {
      parts.push(part)
      part = []
      partBytes = 0
    }
    part.push(item)
    partBytes += itemBytes
  }
  return part.length > 0 ? [...parts, part] : parts
}

/** Splits a text into parts of at most `bytes` bytes of UTF-8. An empty text is one part. */
export function textParts(text: string, bytes: number = CHUNK_BYTES): string[] {
  // UTF-8 has at most three bytes for a unit of UTF-16, and four for a surrogate pair, which is not split.
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

/** The approximate length of a value in a statement, in bytes. */
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
