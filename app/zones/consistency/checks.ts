import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { isReplica } from '#backends/contract/zone_kinds'
import { chunks } from '#database/statements/chunks'

/** Checks that can run over all zones. */
export const CHECKS = [
  'ownerless',
  'no_soa',
  'several_soa',
  'no_primary',
  'strays',
  'wrong_rows',
] as const
export type Check = (typeof CHECKS)[number]

export interface Finding {
  /** Id of the zone, or of a record without a zone. */
  id: number
  name: string
  kind: string | null
  /** Number of wrong rows or SOA records, or the record without a zone. */
  detail: number | string | null
}

/** Result of one pass. */
export interface CheckResult {
  found: Finding[]
  /** Number of zones or records that were checked. */
  checkedCount: number
  /** Id after which the next pass starts; null at the end. */
  next: number | null
}

/** Limits of one pass. */
export interface CheckBounds {
  /** Findings; the last step may exceed this number. */
  found: number
  /** Zones or records. */
  rows: number
}

/** Rows per statement, which bounds its duration. */
const STEP = 500
/** Signed zones per pass: each is read completely. */
const MAX_ZONES_READ = 20

/** Runs a check on ids greater than `after`; null if this backend does not support the check. */
export async function findProblems(
  backend: DnsBackend,
  check: Check,
  after: number,
  bounds: CheckBounds
): Promise<CheckResult | null> {
  const { inspection } = backend
  if (check === 'ownerless') {
    return inSteps(after, bounds, (from) => ownerless(backend, from))
  }
  if (!inspection) {
    return null
  }
  if (check === 'wrong_rows') {
    return wrongRows(backend, after)
  }
  if (check === 'strays') {
    return inSteps(after, bounds, async (from) => {
      const { records, next } = await inspection.findStrays(from, STEP)
      const found = records.map(({ id, name, type, ttl, content }) => ({
        id,
        name: name ?? '',
        kind: type,
        detail: `${ttl ?? ''} ${content ?? ''}`.trim(),
      }))
      return { found, checkedCount: STEP, next }
    })
  }
  return inSteps(after, bounds, async (from) => {
    const zones = await inspection.zones(from, STEP)
    const wrongZones = zones.filter((zone) =>
      check === 'no_primary'
        ? isReplica(zone) && !zone.hasPrimaries
        : check === 'no_soa'
          ? !isReplica(zone) && zone.soaCount === 0
          : zone.soaCount > 1
    )
    return {
      found: wrongZones.map(({ id, name, kind, soaCount }) => ({
        id,
        name,
        kind,
        detail: check === 'several_soa' ? soaCount : null,
      })),
      checkedCount: zones.length,
      next: zones.length < STEP ? null : zones[zones.length - 1].id,
    }
  })
}

async function inSteps(
  after: number,
  bounds: CheckBounds,
  step: (from: number) => Promise<CheckResult>
): Promise<CheckResult> {
  const all: CheckResult = { found: [], checkedCount: 0, next: after }
  while (all.next !== null && all.found.length < bounds.found && all.checkedCount < bounds.rows) {
    const { found, checkedCount, next } = await step(all.next)
    all.found.push(...found)
    all.checkedCount += checkedCount
    all.next = next
  }
  return all
}

async function ownerless(backend: DnsBackend, after: number): Promise<CheckResult> {
  const { table, columns } = backend.zoneIndex
  const zones: { id: number | string; name: string; kind: string }[] = await db
    .from(table)
    .where(columns.id, '>', after)
    .orderBy(columns.id)
    .limit(STEP)
    .select(`${columns.id} as id`, `${columns.name} as name`, `${columns.kind} as kind`)
  const ownedIds = new Set<number>()
  for (const part of chunks(zones.map(({ id }) => Number(id)))) {
    for (const owners of ['zw_zone_owners', 'zw_zone_groups']) {
      const rows: { zone_id: number | string }[] = await db
        .from(owners)
        .whereIn('zone_id', part)
        .distinct('zone_id')
      rows.forEach(({ zone_id: id }) => ownedIds.add(Number(id)))
    }
  }
  return {
    found: zones
      .filter(({ id }) => !ownedIds.has(Number(id)))
      .map(({ id, name, kind }) => ({
        id: Number(id),
        name: name.toLowerCase(),
        kind,
        detail: null,
      })),
    checkedCount: zones.length,
    next: zones.length < STEP ? null : Number(zones[zones.length - 1].id),
  }
}

async function wrongRows(backend: DnsBackend, after: number): Promise<CheckResult> {
  const zones = await backend.signedZones(after, MAX_ZONES_READ)
  const findings: Finding[] = []
  for (const zone of zones) {
    const rows = await backend.countWrongRows(zone)
    if (rows !== null && rows > 0) {
      findings.push({ id: zone.id, name: zone.name, kind: zone.kind, detail: rows })
    }
  }
  const next = zones.length < MAX_ZONES_READ ? null : zones[zones.length - 1].id
  return { found: findings, checkedCount: zones.length, next }
}
