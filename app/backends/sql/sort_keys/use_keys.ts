import type { ZoneSize } from '#backends/sql/lists/zone_size'

/** Maximum number of attempts while Zonewright writes the zone. */
const MAX_ATTEMPTS = 5

/** Result of a read by the sort keys of a large zone. */
interface KeyedResult<Found> {
  /** null if the keys do not match. */
  found: Found | null
  /** Whether the keys are missing or outdated by external writes: they must be created or verified. */
  keysMissing: boolean
}

/**
 * Reads a large zone by its sort keys, in several statements. Repeats the read if a write of Zonewright came between them:
 * such writes update the keys, and are no reason to read the whole zone.
 *
 * @param size    cached size of the zone
 * @param sizeNow reads the size again
 * @param read    returns null if the keys do not match the records
 */
export async function readBySortKeys<Found>(
  size: ZoneSize,
  sizeNow: () => Promise<ZoneSize>,
  read: (size: ZoneSize) => Promise<Found | null>
): Promise<KeyedResult<Found>> {
  let currentSize = size
  for (let attempt = 1; currentSize.isKeyed; attempt++) {
    const found = await read(currentSize)
    if (found !== null) {
      return { found, keysMissing: false }
    }
    const newSize = await sizeNow()
    const isWritten = newSize.version !== currentSize.version
    if (!isWritten || attempt === MAX_ATTEMPTS) {
      return { found: null, keysMissing: !isWritten }
    }
    currentSize = newSize
  }
  return { found: null, keysMissing: true }
}
