import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isRowId } from '#database/rows/row_ids'
import { invalid } from '#exceptions/refusal'

/** Maximum number of references in the message. */
const MAX_MISSING_IN_MESSAGE = 100

/** A group by id or exact name. A string is always a name, even if it is all digits. */
export type GroupReference = number | string

/** A group in answers. */
export interface GroupName {
  id: number
  name: string
}

/**
 * Returns the groups without duplicates, in the order of the references. Throws a 400 that lists
 * the references without a group.
 */
export async function findReferencedGroups(
  client: QueryClientContract,
  references: readonly GroupReference[]
): Promise<GroupName[]> {
  const ids = references.filter((one) => typeof one === 'number').filter(isRowId)
  const names = references.filter((one) => typeof one === 'string')
  const found: GroupName[] = await client
    .from('zw_groups')
    .where((condition) => condition.whereIn('id', [0, ...ids]).orWhereIn('name', ['', ...names]))
    .select('id', 'name')
  // Compares again: MariaDB ignores spaces at the end of a name.
  const groupByReference = new Map<GroupReference, GroupName>(
    found.flatMap((group) => [[group.id, group] as const, [group.name, group] as const])
  )
  const missing = references.filter((reference) => !groupByReference.has(reference))
  if (missing.length > 0) {
    const missingTexts = missing
      .slice(0, MAX_MISSING_IN_MESSAGE)
      .map((one) => String(one).slice(0, 100))
    const ellipsis = missing.length > missingTexts.length ? ', ...' : ''
    throw invalid(`Group not found: ${missingTexts.join(', ')}${ellipsis}`)
  }
  return [...new Set(references.map((reference) => groupByReference.get(reference)!))]
}
