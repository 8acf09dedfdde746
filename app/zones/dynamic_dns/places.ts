import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract'
import { PreparedStatement } from '#database/prepared'
import { notFound } from '#exceptions/refusal'

type ZoneRow = { id: number; name: string }

/** The statement for each number of names; they are looked up with every update of every router. */
const statements = new Map<string, PreparedStatement<ZoneRow>>()

/**
 * The zone that a host is in: the closest that there is, where the actor may update hosts in it. Throws a 404
 * `Refusal` where there is none or it is not theirs, and a 403 where they may not write in it, or the key may not.
 *
 * @param hostname canonical
 */
export async function zoneOfHost(
  backend: DnsBackend,
  actor: Actor,
  hostname: string
): Promise<BackendZone> {
  const id = await closestZoneId(backend, hostname)
  const zone = id === null ? null : await backend.findZone(id)
  const missing = notFound('Hostname is not contained in any zone the user owns')
  if (!zone) {
    throw missing
  }
  const request = {
    action: 'dyndns.update' as const,
    zone: await factsOf(zone),
    name: hostname,
  }
  const decision = authorize(actor, request)
  if (!decision.allowed) {
    const denied = new AccessDenied(actor, request, decision)
    throw decision.hidden ? missing.because(denied) : denied
  }
  return zone
}

/** The id of the zone with the longest name that is, or lies above, the host; null for none. */
async function closestZoneId(backend: DnsBackend, hostname: string): Promise<number | null> {
  const labels = hostname.split('.')
  const names = labels.map((_, index) => labels.slice(index).join('.'))
  const rows = await statementFor(backend, names.length).rows(db.connection(), names)
  const [closest] = rows.toSorted((one, other) => other.name.length - one.name.length)
  return closest ? Number(closest.id) : null
}

function statementFor({ zoneIndex }: DnsBackend, count: number): PreparedStatement<ZoneRow> {
  const { table, columns } = zoneIndex
  const marks = Array<string>(count).fill('?').join(', ')
  const sql = `select ${columns.id} as id, ${columns.name} as name from ${table} where ${columns.name} in (${marks})`
  const known = statements.get(sql) ?? new PreparedStatement<ZoneRow>(sql)
  statements.set(sql, known)
  return known
}
