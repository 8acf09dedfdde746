/** Values bound in one statement, or rows of one insert; the databases limit both. */
export const CHUNK = 500

/**
 * Splits a list for statements with one bound value, or one row, an item. Inserts of many columns take
 * fewer rows at once (`size`): SQLite binds 32 766 values at most.
 */
export function chunks<T>(items: T[], size: number = CHUNK): T[][] {
  const parts: T[][] = []
  for (let i = 0; i < items.length; i += size) {
    parts.push(items.slice(i, i + size))
  }
  return parts
}
