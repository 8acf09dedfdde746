import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isRowId } from '#database/rows/row_ids'
import { invalid } from '#exceptions/refusal'

/** References that the message names. */
const SHOWN_MISSING = 100

/** A group by its id, or by its exact name: a text is a name also when it is all digits. */
export type GroupReference = number | string

/** A group as answers name it. */
export interface GroupName {
  id: number
  name: string
}

/**
 * The groups, each once, in the order in which they are first named. Throws a 400 that names the
 * references without a group.
 */
export async function groupsNamed(
  client: QueryClientContract,
  references: readonly GroupReference[]
): Promise<GroupName[]> {
  const ids = references.filter((one) => typeof one === 'number').filter(isRowId)
  const names = references.filter((one) => typeof one === 'string')
  const found: GroupName[] = await client
    .from('zw_groups')
    .where((either) => either.whereIn('id', [0, ...ids]).orWhereIn('name', ['', ...names]))
    .select('id', 'name')
  // Databases find more than what is meant: MariaDB takes no notice of blanks at the end of a name.
  const known = new Map<GroupReference, GroupName>(
    found.flatMap((group) => [[group.id, group] as const, [group.name, group] as const])
  )
  const missing = references.filter((reference) => !known.has(reference))
  if (missing.length > 0) {
    const named = missing.slice(0, SHOWN_MISSING).map((one) => String(one).slice(0, 100))
    const more = missing.length > named.length ? ', ...' : ''
    throw invalid(`Group not found: ${named.join(', ')}${more}`)
  }
  return [...new Set(references.map((reference) => known.get(reference)!))]
}
