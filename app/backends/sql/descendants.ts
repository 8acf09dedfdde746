import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { foldCase, ancestorsWithin, reversedLabels } from '#dns/names'
import type { BackendZone } from '#backends/contract/backend'
import { onlyRecords } from '#backends/sql/row_lookup'
import type { ZoneTables } from '#backends/sql/tables'
import { dialectOf } from '#database/dialects/dialect_of'

/** Above this many names, one pass over the names of the zone is cheaper than many small reads. */
const MAX_SEPARATE_NAMES = 400

/**
 * Queries that together find the rows below `name`. An index has order names of descendants next to each other. Rows
 * without one (glue, other tools), and zones with hashed order names (NSEC3), are found by the end of their name.
 */
export function rowsBelow(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  name: string,
  isHashed: boolean
): DatabaseQueryBuilderContract[] {
  const rows = () => client.from(tables.records).where('domain_id', zone.id)
  const suffix = `%.${name.replace(/[!%_]/g, '!$&')}`
  const byNameSuffix = (query: DatabaseQueryBuilderContract) =>
    query.whereRaw("name LIKE ? ESCAPE '!'", [suffix])
  if (isHashed) {
    return [byNameSuffix(rows())]
  }
  const { from, below } = dialectOf(client).byteRange
  const order = reversedLabels(name, zone.name)
  return [
    // A space separates the labels of an order name; '!' is the character after it.
    rows()
      .whereRaw(`ordername ${from} ?`, [`${order} `])
      .whereRaw(`ordername ${below} ?`, [`${order}!`])
      .whereNot('name', name),
    byNameSuffix(rows().whereNull('ordername')),
  ]
}

/** Owner names with records below any of `names`, `limit` at most, in no order. */
export async function namesBelow(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  names: string[],
  limit: number
): Promise<string[]> {
  const found = new Set<string>()
  const collect = async (query: DatabaseQueryBuilderContract) => {
    const rows = (await onlyRecords(query).distinct('name')) as { name: string }[]
    rows.forEach((row) => found.add(foldCase(row.name)))
  }
  const zoneRecords = () =>
    client.from(tables.records).where('domain_id', zone.id).whereNot('name', zone.name)
  if (names.includes(zone.name)) {
    await collect(zoneRecords().limit(limit))
    return [...found]
  }
  if (names.length > MAX_SEPARATE_NAMES) {
    await collect(zoneRecords())
    const givenNames = new Set(names)
    const below = [...found].filter((name) =>
      ancestorsWithin(name, zone.name).some((ancestor) => givenNames.has(ancestor))
    )
    return below.slice(0, limit)
  }
  const isHashed = names.length > 0 && (await hasHashedOrder(client, tables, zone))
  for (const query of names.flatMap((name) => rowsBelow(client, tables, zone, name, isHashed))) {
    if (found.size < limit) {
      await collect(query.limit(limit))
    }
  }
  return [...found].slice(0, limit)
}

/** The order name of the apex is empty (NSEC, unsigned), a hash (NSEC3) or absent. */
async function hasHashedOrder(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<boolean> {
  const row = (await client
    .from(tables.records)
    .where({ domain_id: zone.id, name: zone.name, type: 'SOA' })
    .select('ordername')
    .first()) as { ordername: string | null } | null
  return Boolean(row?.ordername)
}
