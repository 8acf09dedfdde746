import { VersionedMemory } from '#lists/versioned'
import { BELIEVED_MS, BELIEVED_TIMES } from '#lists/positions'

/**
 * What filters leave of a large zone is sorted in memory up to so many: what a pass holds, too. An object, so that
 * tests can have many matches in few records.
 */
export const FEW_MATCHES = { most: 10_000 }
const MAX_LISTS = 200

/** Filters that left too many of a version of a zone to be sorted in memory. */
const many = new VersionedMemory<{ isMany: boolean }>(
  () => ({ isMany: false }),
  MAX_LISTS,
  BELIEVED_MS
)

/**
 * What filters leave, where that is few; null where it is many. That it is many is remembered for a version of the zone:
 * it takes reading some ten thousand rows to know.
 *
 * @param read reads so many at most
 */
export async function fewMatches<Row>(
  list: string,
  version: string,
  read: (limit: number) => Promise<Row[]>
): Promise<Row[] | null> {
  const known = many.of(list, version)
  if (known.isMany) {
    return null
  }
  const start = performance.now()
  const rows = await read(FEW_MATCHES.most + 1)
  known.isMany = rows.length > FEW_MATCHES.most
  if (!known.isMany) return rows
  many.believe(list, BELIEVED_TIMES * (performance.now() - start))
  return null
}
