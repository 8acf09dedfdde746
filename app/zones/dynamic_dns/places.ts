import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import type { DnsBackend, ZoneIndex } from '#backends/contract'
import { PreparedStatement } from '#database/prepared'
import type { RRset } from '#dns/types'
import { notFound } from '#exceptions/refusal'

/** Where a host is. */
export interface PlaceOfHost {
  zone: ZoneFacts
  /** Its addresses as they are stored; null where a look at the zones does not tell. */
  stored: RRset[] | null
}

/**
 * A zone with one of its users, one of its groups and one address of the host, in every combination; null where it
 * has none.
 */
interface ZoneRow {
  id: number | string
  name: string
  kind: string
  /** The name that the owners were given; null where there is no own row. */
  own_name: string | null
  user_id: number | string | null
  group_id: number | string | null
  record_id?: number | string | null
  type?: string
  content?: string
  ttl?: number
  disabled?: boolean | number
}

/** The statements for each number of labels; they are sent with every update of every router. */
const statements = new WeakMap<ZoneIndex, Map<number, PreparedStatement<ZoneRow>>>()

/**
 * The zone that a host is in: the closest that there is, where the actor may update hosts in it; and the addresses of
 * the host, where the backend has them beside its zones. One round trip. Throws a 404 `Refusal` where there is none or
 * it is not theirs, and a 403 where they may not write in it, or the key may not.
 *
 * @param hostname canonical
 */
export async function placeOfHost(
  backend: DnsBackend,
  actor: Actor,
  hostname: string
): Promise<PlaceOfHost> {
  const place = await closestPlace(backend, hostname)
  const missing = () => notFound('Hostname is not contained in any zone the user owns')
  if (!place) {
    throw missing()
  }
  const request = { action: 'dyndns.update' as const, zone: place.zone, name: hostname }
  const decision = authorize(actor, request)
  if (!decision.allowed) {
    const denied = new AccessDenied(actor, request, decision)
    throw decision.hidden ? missing().because(denied) : denied
  }
  return place
}

/** The zone with the longest name that is, or lies above, the host, with its owners; null for none. */
async function closestPlace(
  { zoneIndex }: DnsBackend,
  hostname: string
): Promise<PlaceOfHost | null> {
  const labels = hostname.split('.')
  const names = labels.map((_, index) => labels.slice(index).join('.'))
  const values = zoneIndex.records === undefined ? names : [hostname, ...names]
  const rows = await statementFor(zoneIndex, names.length).rows(db.connection(), values)
  const [closest] = rows.toSorted((one, other) => other.name.length - one.name.length)
  if (closest === undefined) {
    return null
  }
  const name = closest.name.toLowerCase()
  const mine = rows.filter((row) => row.id === closest.id)
  // Owners of a zone that had its id before are not its own, as `ownershipOf` has it.
  const own = mine.filter((row) => row.own_name === name)
  const idsOf = (column: 'user_id' | 'group_id') =>
    new Set(own.flatMap((row) => (row[column] === null ? [] : [Number(row[column])])))
  const zone = {
    id: Number(closest.id),
    name,
    kind: closest.kind.toUpperCase(),
    ownership: { users: idsOf('user_id'), groups: idsOf('group_id') },
  }
  return { zone, stored: zoneIndex.records === undefined ? null : storedSets(hostname, mine) }
}

/** The RRsets of addresses among the rows. */
function storedSets(hostname: string, rows: ZoneRow[]): RRset[] {
  const records = new Map(rows.map((row) => [row.record_id ?? null, row]))
  records.delete(null)
  return [...Map.groupBy(records.values(), ({ type = '' }) => type)].map(([type, some]) => ({
    name: hostname,
    type,
    ttl: some[0].ttl ?? 0,
    records: some.map(({ content = '', disabled }) => ({
      content,
      priority: 0,
      disabled: Boolean(disabled),
    })),
  }))
}

function statementFor(index: ZoneIndex, count: number): PreparedStatement<ZoneRow> {
  const known = statements.get(index) ?? new Map<number, PreparedStatement<ZoneRow>>()
  statements.set(index, known)
  const statement = known.get(count) ?? new PreparedStatement<ZoneRow>(sqlFor(index, count))
  known.set(count, statement)
  return statement
}

function sqlFor({ table, columns, records }: ZoneIndex, count: number): string {
  const marks = Array<string>(count).fill('?').join(', ')
  const [addresses, beside] =
    records === undefined
      ? ['', '']
      : [
          ', r.id as record_id, r.type, r.content, r.ttl, r.disabled',
          `left join ${records} r on r.domain_id = d.${columns.id} and r.name = ?
        and r.type in ('A', 'AAAA')`,
        ]
  return `
    select d.${columns.id} as id, d.${columns.name} as name, d.${columns.kind} as kind,
      z.name as own_name, u.user_id, g.group_id${addresses}
    from ${table} d
      left join zw_zones z on z.id = d.${columns.id}
      left join zw_zone_owners u on u.zone_id = z.id
      left join zw_zone_groups g on g.zone_id = z.id
      ${beside}
    where d.${columns.name} in (${marks})`
}
