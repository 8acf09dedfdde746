import type { ZoneSize } from '#backends/sql/lists/zone_size'

/** Maximum number of attempts while Zonewright writes the zone. */
const TRIES = 5

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
 * @param look    returns null if the keys do not match the records
 */
export async function byKeys<Found>(
  size: ZoneSize,
  sizeNow: () => Promise<ZoneSize>,
  look: (size: ZoneSize) => Promise<Found | null>
): Promise<KeyedResult<Found>> {
  let known = size
  for (let tries = 1; known.isKeyed; tries++) {
    const found = await look(known)
    if (found !== null) {
      return { found, keysMissing: false }
    }
    const now = await sizeNow()
    const isWritten = now.version !== known.version
    if (!isWritten || tries === TRIES) {
      return { found: null, keysMissing: !isWritten }
    }
    known = now
  }
  return { found: null, keysMissing: true }
}
