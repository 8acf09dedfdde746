import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isRowId } from '#database/row_ids'
import { invalid } from '#exceptions/refusal'

/** A group by its id, or by its exact name: a text is a name also when it is all digits. */
export type GroupReference = number | string

/** A group as answers name it. */
export interface GroupName {
  id: number
  name: string
}

/**
 * The groups, each once, in the order in which they are first named. Throws a 400 that names the first
 * reference without a group.
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
  const groups = references.map((reference) => {
    const group = known.get(reference)
    if (!group) {
      throw invalid(`Group not found: ${String(reference).slice(0, 100)}`)
    }
    return group
  })
  return [...new Set(groups)]
}
