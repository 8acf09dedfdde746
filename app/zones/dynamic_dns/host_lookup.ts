import type { Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import type { DnsBackend, ZoneIndex } from '#backends/contract/backend'
import { Gatherer } from '#database/statements/batcher'
import { ListStatements, MOST_AT_ONCE } from '#database/statements/lookups'
import { labelsOf } from '#dns/names/name_tree'
import type { RRset } from '#dns/types'
import { notFound } from '#exceptions/refusal'

/** Where a host is. */
export interface PlaceOfHost {
  zone: ZoneFacts
  /** Its addresses as they are stored; null where a look at the zones does not tell. */
  stored: RRset[] | null
}

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

/** An address of a host. */
interface AddressRow {
  /** Of its zone. */
  id: number | string
  name: string
  kind: null
  type: string
  content: string | null
  ttl: number | null
  disabled: boolean | number | null
}

type Row = ZoneRow | AddressRow

/** A host, and the names of the zones that it may be in. */
interface Sought {
  hostname: string
  names: string[]
}

/** Of each list of zones. */
const seekers = new WeakMap<ZoneIndex, Gatherer<Sought, PlaceOfHost | null>>()

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
function closestPlace({ zoneIndex }: DnsBackend, hostname: string): Promise<PlaceOfHost | null> {
  let seeker = seekers.get(zoneIndex)
  if (seeker === undefined) {
    seeker = seekerIn(zoneIndex)
    seekers.set(zoneIndex, seeker)
  }
  const labels = labelsOf(hostname)
  return seeker.of({ hostname, names: labels.map((_, index) => labels.slice(index).join('.')) })
}

/** Routers that report at once are looked for at once. */
function seekerIn(index: ZoneIndex): Gatherer<Sought, PlaceOfHost | null> {
  const statements = new ListStatements<Row>(([names, hosts]) => sqlFor(index, names, hosts))
  return new Gatherer(async (sought: Sought[]) => {
    const names = sought.flatMap((one) => one.names)
    const hosts = index.records === undefined ? [] : sought.map(({ hostname }) => hostname)
    const rows = await statements.rows(names, hosts)
    const found = Map.groupBy(rows, ({ name }) => name.toLowerCase())
    return sought.map((one) => placeAmong(found, one, hosts.length > 0))
  }, MOST_AT_ONCE)
}

/** @param found rows by their names in lower case */
function placeAmong(
  found: Map<string, Row[]>,
  { hostname, names }: Sought,
  withAddresses: boolean
): PlaceOfHost | null {
  // The longest name comes first.
  for (const name of names) {
    const mine = found.get(name)?.filter((row): row is ZoneRow => row.kind !== null) ?? []
    if (mine.length > 0) {
      const zone = zoneOf(name, mine)
      const rows = withAddresses ? (found.get(hostname) ?? []) : null
      const own = rows?.filter(
        (row): row is AddressRow => row.kind === null && Number(row.id) === zone.id
      )
      return { zone, stored: own === undefined ? null : storedSets(hostname, own) }
    }
  }
  return null
}

function zoneOf(name: string, rows: ZoneRow[]): ZoneFacts {
  const [{ id, kind }] = rows
  // Owners of a zone that had its id before are not its own, as `ownershipOf` has it.
  const own = rows.filter((row) => row.id === id && row.own_name === name)
  const idsOf = (column: 'user_id' | 'group_id') =>
    new Set(own.flatMap((row) => (row[column] === null ? [] : [Number(row[column])])))
  return {
    id: Number(id),
    name,
    kind: kind.toUpperCase(),
    ownership: { users: idsOf('user_id'), groups: idsOf('group_id') },
  }
}

/** The RRsets of addresses that the rows are of. */
function storedSets(hostname: string, rows: AddressRow[]): RRset[] {
  return [...Map.groupBy(rows, ({ type }) => type)].map(([type, some]) => ({
    name: hostname,
    type,
    ttl: some[0].ttl ?? 0,
    records: some.map(({ content, disabled }) => ({
      content: content ?? '',
      priority: 0,
      disabled: Boolean(Number(disabled)),
    })),
  }))
}

/**
 * Zones by their names, and beside them the addresses by theirs: joined to zones, they might be looked for by zone,
 * which may be large.
 */
function sqlFor({ table, columns, records }: ZoneIndex, names: string, hosts: string): string {
  const more = ['type', 'content', 'ttl', 'disabled']
  const [absent, addresses] =
    records === undefined
      ? ['', '']
      : [
          more.map((column) => `, null as ${column}`).join(''),
          `union all
    select r.domain_id, r.name, null, null, null, null,
      ${more.map((column) => `r.${column}`).join(', ')}
    from ${records} r
    where r.name in (${hosts}) and r.type in ('A', 'AAAA')`,
        ]
  return `
    select d.${columns.id} as id, d.${columns.name} as name, d.${columns.kind} as kind,
      z.name as own_name, u.user_id, g.group_id${absent}
    from ${table} d
      left join zw_zones z on z.id = d.${columns.id}
      left join zw_zone_owners u on u.zone_id = z.id
      left join zw_zone_groups g on g.zone_id = z.id
    where d.${columns.name} in (${names})
    ${addresses}`
}
