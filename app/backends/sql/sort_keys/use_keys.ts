import type { ZoneSize } from '#backends/sql/lists/zone_size'

/** So often a look is made anew where the product writes the zone all the time. */
const TRIES = 5

/** What a look at the sort keys of a large zone found. */
interface KeyedResult<Found> {
  /** null where they do not tell. */
  found: Found | null
  /** Whether they do not tell as they are missing, or as others wrote the zone: they have to be made, or looked at anew. */
  keysMissing: boolean
}

/**
 * Looks at a large zone by its sort keys, in several statements. What does not fit together as the product wrote the zone
 * between these is looked at anew: such writes keep the keys right, and are no reason to read the whole zone.
 *
 * @param size    of the zone, as it is known
 * @param sizeNow asks for it anew
 * @param look    null where the keys do not tell of the records as they are
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
