import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { chunks } from '#database/statements/chunks'
import { labelsOf } from '#dns/names/name_tree'

/** A zone as in the zone index. */
export interface IndexedZone {
  id: number
  name: string
}

/**
 * Ids of the zones at or above each name, the closest first. Uses index lookups only. Names without
 * any zone are absent.
 */
export async function findZonesAbove(
  backend: DnsBackend,
  names: string[]
): Promise<Map<string, number[]>> {
  const above = new Map([...new Set(names)].map((name) => [name, suffixesOf(name)]))
  const ids = await findZoneIdsByName(backend, [...above.values()].flat())
  const result = new Map<string, number[]>()
  for (const [name, candidates] of above) {
    const found = candidates.flatMap((suffix) => ids.get(suffix) ?? [])
    if (found.length > 0) {
      result.set(name, found)
    }
  }
  return result
}

/** Ids of the zones with these canonical names, by name. */
export async function findZoneIdsByName(
  backend: DnsBackend,
  names: string[]
): Promise<Map<string, number>> {
  const { table, columns } = backend.zoneIndex
  const ids = new Map<string, number>()
  for (const part of chunks([...new Set(names)])) {
    const rows: IndexedZone[] = await db
      .from(table)
      .whereIn(columns.name, part)
      .select(`${columns.id} as id`, `${columns.name} as name`)
    rows.forEach((row) => ids.set(row.name.toLowerCase(), Number(row.id)))
  }
  return ids
}

/** The name itself and its ancestors, the longest first. */
function suffixesOf(name: string): string[] {
  const labels = labelsOf(name)
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/**
 * The closest zone at or above the name: the one with the longest name; null without one. One index
 * lookup.
 */
export async function findClosestZone(
  backend: DnsBackend,
  name: string,
  options: { above?: boolean; except?: number } = {}
): Promise<IndexedZone | null> {
  const names = suffixesOf(name)
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
