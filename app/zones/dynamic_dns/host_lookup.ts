import type { Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import type { DnsBackend, ZoneIndex } from '#backends/contract/backend'
import { Batcher } from '#database/statements/batcher'
import { ListStatements, MAX_CONCURRENT_LOOKUPS } from '#database/statements/lookups'
import { labelsOf } from '#dns/names/name_tree'
import type { RRset } from '#dns/types'
import { notFound } from '#exceptions/refusal'

/** The zone of a host, and its address RRsets. */
export interface HostLocation {
  zone: ZoneFacts
  /** Stored addresses; null if the lookup of zones does not return them. */
  storedSets: RRset[] | null
}

/**
 * A zone with one of its users and one of its groups, in every combination; null without owners.
 */
interface ZoneRow {
  id: number | string
  name: string
  kind: string
  /** Name of the zone row; null without a zone row. */
  own_name: string | null
  user_id: number | string | null
  group_id: number | string | null
}

/** An address record of a host. */
interface AddressRow {
  /** Id of the zone. */
  id: number | string
  name: string
  kind: null
  type: string
  content: string | null
  ttl: number | null
  disabled: boolean | number | null
}

type Row = ZoneRow | AddressRow

/** A host, and the names of the zones that could contain it. */
interface LookupRequest {
  hostname: string
  names: string[]
}

/** One per zone index. */
const lookupsByIndex = new WeakMap<ZoneIndex, Batcher<LookupRequest, HostLocation | null>>()

/**
 * Returns the closest zone of a host, and its addresses if they are in the same database. One round
 * trip. Throws a 404 `Refusal` without a visible zone, and a 403 if actor or key may not update the
 * host.
 *
 * @param hostname canonical
 */
export async function locateHost(
  backend: DnsBackend,
  actor: Actor,
  hostname: string
): Promise<HostLocation> {
  const found = await closestZoneOf(backend, hostname)
  const missing = () => notFound('Hostname is not contained in any zone the user owns')
  if (!found) {
    throw missing()
  }
  const request = { action: 'dyndns.update' as const, zone: found.zone, name: hostname }
  const decision = authorize(actor, request)
  if (!decision.allowed) {
    const denied = new AccessDenied(actor, request, decision)
    throw decision.hidden ? missing().because(denied) : denied
  }
  return found
}

/**
 * Returns the zone with the longest name that contains the host, with its owners; null without a
 * zone.
 */
function closestZoneOf({ zoneIndex }: DnsBackend, hostname: string): Promise<HostLocation | null> {
  let hostLookups = lookupsByIndex.get(zoneIndex)
  if (hostLookups === undefined) {
    hostLookups = createHostLookups(zoneIndex)
    lookupsByIndex.set(zoneIndex, hostLookups)
  }
  const labels = labelsOf(hostname)
  return hostLookups.load({
    hostname,
    names: labels.map((_, index) => labels.slice(index).join('.')),
  })
}

/** Combines concurrent lookups into one statement. */
function createHostLookups(index: ZoneIndex): Batcher<LookupRequest, HostLocation | null> {
  const statements = new ListStatements<Row>(([names, hosts]) => sqlFor(index, names, hosts))
  return new Batcher(async (requests: LookupRequest[]) => {
    const names = requests.flatMap((one) => one.names)
    const hosts = index.records === undefined ? [] : requests.map(({ hostname }) => hostname)
    const rows = await statements.rows(names, hosts)
    const rowsByName = Map.groupBy(rows, ({ name }) => name.toLowerCase())
    return requests.map((one) => closestLocation(rowsByName, one, hosts.length > 0))
  }, MAX_CONCURRENT_LOOKUPS)
}

/** @param rowsByName rows by lower-case name */
function closestLocation(
  rowsByName: Map<string, Row[]>,
  { hostname, names }: LookupRequest,
  withAddresses: boolean
): HostLocation | null {
  // The longest name comes first.
  for (const name of names) {
    const zoneRows = rowsByName.get(name)?.filter((row): row is ZoneRow => row.kind !== null) ?? []
    if (zoneRows.length > 0) {
      const zone = zoneOf(name, zoneRows)
      const rows = withAddresses ? (rowsByName.get(hostname) ?? []) : null
      const addressRows = rows?.filter(
        (row): row is AddressRow => row.kind === null && Number(row.id) === zone.id
      )
      return {
        zone,
        storedSets: addressRows === undefined ? null : storedSets(hostname, addressRows),
      }
    }
  }
  return null
}

function zoneOf(name: string, rows: ZoneRow[]): ZoneFacts {
  const [{ id, kind }] = rows
  // Owners of an earlier zone with this id have another name, as in `ownershipOf`.
  const ownerRows = rows.filter((row) => row.id === id && row.own_name === name)
  const idsOf = (column: 'user_id' | 'group_id') =>
    new Set(ownerRows.flatMap((row) => (row[column] === null ? [] : [Number(row[column])])))
  return {
    id: Number(id),
    name,
    kind: kind.toUpperCase(),
    ownership: { users: idsOf('user_id'), groups: idsOf('group_id') },
  }
}

/** Groups address rows into RRsets. */
function storedSets(hostname: string, rows: AddressRow[]): RRset[] {
  return [...Map.groupBy(rows, ({ type }) => type)].map(([type, typeRows]) => ({
    name: hostname,
    type,
    ttl: typeRows[0].ttl ?? 0,
    records: typeRows.map(({ content, disabled }) => ({
      content: content ?? '',
      priority: 0,
      disabled: Boolean(Number(disabled)),
    })),
  }))
}

/**
 * Selects zones by name, and addresses by name in a union. A join could search the addresses
 * through all records of a large zone.
 */
function sqlFor({ table, columns, records }: ZoneIndex, names: string, hosts: string): string {
  const addressColumns = ['type', 'content', 'ttl', 'disabled']
  const [absent, addresses] =
    records === undefined
      ? ['', '']
      : [
          addressColumns.map((column) => `, null as ${column}`).join(''),
          `union all
    select r.domain_id, r.name, null, null, null, null,
      ${addressColumns.map((column) => `r.${column}`).join(', ')}
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
