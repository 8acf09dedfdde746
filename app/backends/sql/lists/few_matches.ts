import { VersionedMemory } from '#lists/versioned'
import { BELIEVED_MS, BELIEVED_TIMES } from '#lists/positions'

/**
 * What filters leave of a large zone is sorted in memory up to so many: what a pass holds, too. An object, so that
 * tests can have many matches in few records.
 */
export const FEW_MATCHES = { most: 10_000 }
const MAX_LISTS = 200

interface Known {
  /** Whether filters left too many to be sorted in memory. */
  isMany: boolean
  /** Whether they left nothing. */
  isNone: boolean
}

/** What filters left of a version of a zone, where the whole zone had to be read for it. */
const memory = new VersionedMemory<Known>(
  () => ({ isMany: false, isNone: false }),
  MAX_LISTS,
  BELIEVED_MS
)

/**
 * What filters leave, where that is few; null where it is many. That it is many, or nothing, is remembered for a version
 * of the zone: it takes reading some ten thousand rows to know, or all of them where no index knows the text.
 *
 * @param read reads so many at most
 */
export async function fewMatches<Row>(
  list: string,
  version: string,
  read: (limit: number) => Promise<Row[]>
): Promise<Row[] | null> {
  const known = memory.of(list, version)
  if (known.isMany) {
    return null
  }
  if (known.isNone) {
    return []
  }
  const start = performance.now()
  const rows = await read(FEW_MATCHES.most + 1)
  known.isMany = rows.length > FEW_MATCHES.most
  known.isNone = rows.length === 0
  if (known.isMany || known.isNone) {
    memory.believe(list, BELIEVED_TIMES * (performance.now() - start))
  }
  return known.isMany ? null : rows
}
