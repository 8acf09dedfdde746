import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import type { DnsBackend } from '#backends/contract'
import { PreparedStatement } from '#database/prepared'
import { notFound } from '#exceptions/refusal'

/** A zone with one of its users and one of its groups, in every combination; null where it has none. */
interface ZoneRow {
  id: number | string
  name: string
  kind: string
  /** The name that the owners were given; null where there is no own row. */
  own_name: string | null
  user_id: number | string | null
  group_id: number | string | null
}

/** The statement for each number of names; they are looked up with every update of every router. */
const statements = new Map<string, PreparedStatement<ZoneRow>>()

/**
 * The zone that a host is in: the closest that there is, where the actor may update hosts in it. One round trip.
 * Throws a 404 `Refusal` where there is none or it is not theirs, and a 403 where they may not write in it, or the
 * key may not.
 *
 * @param hostname canonical
 */
export async function zoneOfHost(
  backend: DnsBackend,
  actor: Actor,
  hostname: string
): Promise<ZoneFacts> {
  const zone = await closestZone(backend, hostname)
  const missing = notFound('Hostname is not contained in any zone the user owns')
  if (!zone) {
    throw missing
  }
  const request = { action: 'dyndns.update' as const, zone, name: hostname }
  const decision = authorize(actor, request)
  if (!decision.allowed) {
    const denied = new AccessDenied(actor, request, decision)
    throw decision.hidden ? missing.because(denied) : denied
  }
  return zone
}

/** The zone with the longest name that is, or lies above, the host, with its owners; null for none. */
async function closestZone(backend: DnsBackend, hostname: string): Promise<ZoneFacts | null> {
  const labels = hostname.split('.')
  const names = labels.map((_, index) => labels.slice(index).join('.'))
  const rows = await statementFor(backend, names.length).rows(db.connection(), names)
  const [closest] = rows.toSorted((one, other) => other.name.length - one.name.length)
  if (closest === undefined) {
    return null
  }
  const name = closest.name.toLowerCase()
  // Owners of a zone that had its id before are not its own, as `ownershipOf` has it.
  const own = rows.filter((row) => row.id === closest.id && row.own_name === name)
  const idsOf = (column: 'user_id' | 'group_id') =>
    new Set(own.flatMap((row) => (row[column] === null ? [] : [Number(row[column])])))
  return {
    id: Number(closest.id),
    name,
    kind: closest.kind.toUpperCase(),
    ownership: { users: idsOf('user_id'), groups: idsOf('group_id') },
  }
}

function statementFor({ zoneIndex }: DnsBackend, count: number): PreparedStatement<ZoneRow> {
  const { table, columns } = zoneIndex
  const marks = Array<string>(count).fill('?').join(', ')
  const sql = `
    select d.${columns.id} as id, d.${columns.name} as name, d.${columns.kind} as kind,
      z.name as own_name, u.user_id, g.group_id
    from ${table} d
      left join zw_zones z on z.id = d.${columns.id}
      left join zw_zone_owners u on u.zone_id = z.id
      left join zw_zone_groups g on g.zone_id = z.id
    where d.${columns.name} in (${marks})`
  const known = statements.get(sql) ?? new PreparedStatement<ZoneRow>(sql)
  statements.set(sql, known)
  return known
}
