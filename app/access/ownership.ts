import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { PreparedStatement } from '#database/statements/prepared'

/** Owners of a zone. */
export interface Ownership {
  users: ReadonlySet<number>
  groups: ReadonlySet<number>
}

/** Facts about a zone that decisions depend on. */
export interface ZoneFacts {
  id: number
  name: string
  kind: string
  ownership: Ownership
}

const NO_OWNERS: Ownership = { users: new Set(), groups: new Set() }

/**
 * Returns owners by zone id; zones without owners are absent.
 *
 * A row counts only if its zone still has the stored name. Otherwise another program created a new
 * zone under the id of a deleted one.
 */
export async function ownershipOf(
  zones: { id: number; name: string }[],
  client: QueryClientContract = db.connection()
): Promise<Map<number, Ownership>> {
  const result = new Map<number, { users: Set<number>; groups: Set<number> }>()
  if (zones.length === 0) {
    return result
  }
  const names = new Map(zones.map((zone) => [zone.id, zone.name]))
  const rows = async (table: string, column: string) => {
    const found: { zone_id: number; name: string; owner: number }[] = await client
      .from(table)
      .join('zw_zones', 'zw_zones.id', `${table}.zone_id`)
      .whereIn(`${table}.zone_id`, [...names.keys()])
      .select(`${table}.zone_id`, 'zw_zones.name', `${table}.${column} as owner`)
    return found.filter((row) => names.get(row.zone_id) === row.name)
  }
  const entry = (id: number) => {
    const ownership = result.get(id) ?? { users: new Set(), groups: new Set() }
    result.set(id, ownership)
    return ownership
  }
  for (const row of await rows('zw_zone_owners', 'user_id')) {
    entry(row.zone_id).users.add(row.owner)
  }
  for (const row of await rows('zw_zone_groups', 'group_id')) {
    entry(row.zone_id).groups.add(row.owner)
  }
  return result
}

interface OwnerRow {
  /** Name of the zone when the row was written. */
  name: string
  is_group: number | string
  owner: number | string
}

const OWNER_QUERY = new PreparedStatement<OwnerRow>(`
  select z.name, 0 as is_group, o.user_id as owner
  from zw_zone_owners o join zw_zones z on z.id = o.zone_id where o.zone_id = ?
  union all
  select z.name, 1, g.group_id
  from zw_zone_groups g join zw_zones z on z.id = g.zone_id where g.zone_id = ?`)

/** Returns the owners of one zone, as `ownershipOf`. */
async function ownersOf(
  { id, name }: { id: number; name: string },
  client: QueryClientContract
): Promise<Ownership> {
  const rows = await OWNER_QUERY.rows(client, [id, id])
  if (rows.length === 0) {
    return NO_OWNERS
  }
  const idsOf = (isGroup: 0 | 1) => {
    const matchingRows = rows.filter((row) => row.name === name && Number(row.is_group) === isGroup)
    return new Set(matchingRows.map(({ owner }) => Number(owner)))
  }
  return { users: idsOf(0), groups: idsOf(1) }
}

/**
 * Reads the facts of a zone.
 *
 * @param client a transaction, or the default connection
 */
export async function loadZoneFacts<Zone extends { id: number; name: string; kind: string }>(
  zone: Zone,
  client: QueryClientContract = db.connection()
): Promise<Zone & { ownership: Ownership }> {
  return { ...zone, ownership: await ownersOf(zone, client) }
}
