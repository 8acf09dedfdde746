import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { BackendZone, DnsBackend } from '#backends/contract'
import type { Owners } from '#changes/change_set'
import { momentNow } from '#changes/clock'
import { retryOnConflict } from '#database/conflicts'
import { reversedLabels } from '#dns/names'

/** The product's own row of a zone. */
export interface ZoneRow {
  id: number
  uid: string
  name: string
  description: string | null
  last_entry: number
}

/** Rows of one statement. */
const CHUNK = 200

/** Labels from the top down ("com example www"), so that a zone's descendants lie side by side. */
export function nameKey(name: string): string {
  return reversedLabels(name, '')
}

/**
 * The own row of a zone, made when the zone has none yet or the row tells of another zone: one that was
 * deleted by another tool, and whose id the database gave again. Owners and key scopes of the old row
 * go with it.
 */
export async function ensureZoneRow(
  client: QueryClientContract,
  zone: BackendZone
): Promise<ZoneRow> {
  const row: ZoneRow | null = await client.from('zw_zones').where('id', zone.id).first()
  if (row && row.name === zone.name) {
    return row
  }
  if (row) {
    await client.from('zw_zones').where('id', zone.id).delete()
  }
  return addZoneRow(client, zone, null)
}

/**
 * Gives own rows to zones that other tools made: those whose ids lie beyond all that have one. Looks at
 * nothing else, so that it costs the same however many zones there are.
 */
export async function adoptNewZones(backend: DnsBackend): Promise<void> {
  const [known] = await db.from('zw_zones').max('id as highest')
  await adopt(backend, (rows, id) => rows.where(id, '>', Number(known.highest ?? 0)))
}

/** Gives own rows to all zones that have none, wherever their ids lie. Reads the whole zone index. */
export async function adoptAllZones(backend: DnsBackend): Promise<void> {
  await adopt(backend, (rows, id) =>
    rows.whereNotExists((own) => own.from('zw_zones').whereColumn('zw_zones.id', id))
  )
}

async function adopt(
  backend: DnsBackend,
  narrow: (rows: DatabaseQueryBuilderContract, id: string) => void
): Promise<void> {
  const { table, columns } = backend.zoneIndex
  const rows = db.from(table).select(`${columns.id} as id`, `${columns.name} as name`)
  narrow(rows, `${table}.${columns.id}`)
  const zones = (await rows) as { id: number; name: string }[]
  const created = momentNow()
  for (let i = 0; i < zones.length; i += CHUNK) {
    const inserts = zones.slice(i, i + CHUNK).map(({ id, name }) => ({
      id,
      uid: randomUUID(),
      name: name.toLowerCase(),
      name_key: nameKey(name.toLowerCase()),
      description: null,
      last_entry: 0,
      created_at: created,
    }))
    await retryOnConflict(() =>
      db.table('zw_zones').knexQuery.insert(inserts).onConflict('id').ignore()
    )
  }
}

/** Writes the own row of a new zone. */
export async function addZoneRow(
  client: QueryClientContract,
  zone: BackendZone,
  description: string | null
): Promise<ZoneRow> {
  const row = {
    id: zone.id,
    uid: randomUUID(),
    name: zone.name,
    description,
    last_entry: 0,
  }
  await client
    .table('zw_zones')
    .insert({ ...row, name_key: nameKey(zone.name), created_at: momentNow() })
  return row
}

/** Writes owners of a zone that has none. */
export async function addOwners(
  client: QueryClientContract,
  zoneId: number,
  owners: Owners
): Promise<void> {
  const stamp = { created_at: momentNow() }
  const users = owners.users.map((id) => ({ zone_id: zoneId, user_id: id, ...stamp }))
  const groups = owners.groups.map((id) => ({ zone_id: zoneId, group_id: id, ...stamp }))
  if (users.length > 0) {
    await client.table('zw_zone_owners').multiInsert(users)
  }
  if (groups.length > 0) {
    await client.table('zw_zone_groups').multiInsert(groups)
  }
}

/** Ids of the users and groups that own a zone. */
export async function ownersOf(client: QueryClientContract, zoneId: number): Promise<Owners> {
  const users: { user_id: number }[] = await client
    .from('zw_zone_owners')
    .where('zone_id', zoneId)
    .orderBy('user_id')
  const groups: { group_id: number }[] = await client
    .from('zw_zone_groups')
    .where('zone_id', zoneId)
    .orderBy('group_id')
  return {
    users: users.map((row) => row.user_id),
    groups: groups.map((row) => row.group_id),
  }
}
