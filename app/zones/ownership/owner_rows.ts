import db from '@adonisjs/lucid/services/db'
import type { ZoneFacts } from '#access/ownership'
import type { Owners } from '#changes/model/zone_properties'
import { invalid } from '#exceptions/refusal'

/** Returns those owners that still exist. */
export async function existingOwners({ users, groups }: Owners): Promise<Owners> {
  const existing = async (table: string, ids: number[]) => {
    const rows: { id: number }[] = await db
      .from(table)
      .whereIn('id', [0, ...ids])
      .orderBy('id')
      .select('id')
    return rows.map((row) => row.id)
  }
  return { users: await existing('zw_users', users), groups: await existing('zw_groups', groups) }
}

/** Throws a 400 `Refusal` if the zone has only one owner, who is about to be removed. */
export function refuseLastOwner({ ownership: { users, groups } }: ZoneFacts): void {
  if (users.size + groups.size === 1) {
    throw invalid(
      'Cannot remove the last owner: this would leave the zone with no ownership. Add another owner or a group first.'
    )
  }
}
