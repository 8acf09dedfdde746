import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract'

/** A zone as the zone index names it. */
export interface IndexedZone {
  id: number
  name: string
}

/**
 * The closest zone that is, or lies above, the name: the one with the longest name. One indexed look-up,
 * whatever zones there are. null when no zone covers the name.
 */
export async function closestZone(
  backend: DnsBackend,
  name: string,
  options: { above?: boolean; except?: number } = {}
): Promise<IndexedZone | null> {
  const labels = name.split('.')
  const names = labels.map((_, index) => labels.slice(index).join('.'))
  const { table, columns } = backend.zoneIndex
  const rows: IndexedZone[] = await db
    .from(table)
    .whereIn(columns.name, options.above ? names.slice(1) : names)
    .select(`${columns.id} as id`, `${columns.name} as name`)
  const [closest] = rows
    .map((row) => ({ id: Number(row.id), name: row.name.toLowerCase() }))
    .filter((row) => row.id !== options.except)
    .sort((a, b) => b.name.length - a.name.length)
  return closest ?? null
}
