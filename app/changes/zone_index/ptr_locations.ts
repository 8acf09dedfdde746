import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { isReverseZone } from '#dns/names'
import { classlessNames } from '#dns/addresses/reverse'
import type { RRset } from '#dns/types'
import { findZonesAbove, findZoneIdsByName } from '#changes/zone_index/closest_zone'

/** Maximum of CNAME records that are followed; RFC 2317 needs one. */
const MAX_STEPS = 4

/** The PTR record of an address. */
export interface PtrLocation {
  zone: BackendZone
  /** Canonical owner name of the PTR record. */
  owner: string
  /** The existing PTR records. */
  ptr: RRset | undefined
}

/**
 * PTR records by the reverse name of the address. They are at that name, or at the target of CNAME
 * records there (RFC 2317, 4). If no zone contains the name, a classless zone such as
 * `0/25.2.0.192.in-addr.arpa` may. Names without such a zone are absent.
 *
 * @param names canonical names such as `10.2.0.192.in-addr.arpa`
 */
export async function findPtrLocations(
  backend: DnsBackend,
  names: readonly string[]
): Promise<Map<string, PtrLocation>> {
  const pointers = new Map<string, PtrLocation>()
  let unresolved = new Map(names.map((name) => [name, name]))
  for (let step = 0; step < MAX_STEPS && unresolved.size > 0; step++) {
    const closest = await closestZones(backend, [...unresolved.values()])
    if (step === 0) await addClassless(backend, unresolved, closest)
    const found = [...unresolved].flatMap(([name, owner]) => {
      const zone = closest.get(owner)
      return zone && (step > 0 || isReverseZone(zone.name)) ? [{ name, owner, zone }] : []
    })
    unresolved = new Map()
    for (const group of Map.groupBy(found, ({ zone }) => zone.id).values()) {
      const [{ zone }] = group
      const owners = group.map(({ owner }) => owner)
      const sets = await backend.rrsetsAt(zone, owners)
      for (const { name, owner } of group) {
        const target = aliasOf(sets, owner)
        const ptr = sets.find((set) => set.name === owner && set.type === 'PTR')
        if (target === undefined) pointers.set(name, { zone, owner, ptr })
        else unresolved.set(name, target)
      }
    }
  }
  return pointers
}

/** The zone that contains each name. */
async function closestZones(
  backend: DnsBackend,
  names: string[]
): Promise<Map<string, BackendZone>> {
  const known = new Map<number, BackendZone | null>()
  const zones = new Map<string, BackendZone>()
  for (const [name, [closest]] of await findZonesAbove(backend, names)) {
    if (!known.has(closest)) known.set(closest, await backend.findZone(closest))
    const zone = known.get(closest)
    if (zone) zones.set(name, zone)
  }
  return zones
}

/** Moves names without a zone into the classless zone of their network, if it exists. */
async function addClassless(
  backend: DnsBackend,
  unresolved: Map<string, string>,
  closest: Map<string, BackendZone>
): Promise<void> {
  const namesWithoutZone = [...unresolved.keys()].filter((name) => !closest.has(name))
  const candidates = new Map(namesWithoutZone.map((name) => [name, classlessNames(name)]))
  const ids = await findZoneIdsByName(backend, [...candidates.values()].flat().map(zoneOf))
  for (const [name, owners] of candidates) {
    const owner = owners.find((one) => ids.has(zoneOf(one)))
    const zone = owner && (await backend.findZone(ids.get(zoneOf(owner))!))
    if (!zone) continue
    unresolved.set(name, owner)
    closest.set(owner, zone)
  }
}

/** The classless zone of an owner name in it. */
function zoneOf(owner: string): string {
  return owner.slice(owner.indexOf('.') + 1)
}

function aliasOf(sets: RRset[], owner: string): string | undefined {
  const alias = sets.find(({ name, type }) => name === owner && type === 'CNAME')
  return alias?.records.find(({ disabled }) => !disabled)?.content
}
