import db from '@adonisjs/lucid/services/db'
import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { isReplica } from '#backends/contract/zone_kinds'
import type { ZoneKind } from '#backends/contract/backend'
import { SignNewZone } from '#zones/dnssec/sign_new_zone'
import { ZoneList } from '#zones/list/zone_list'
import type { ListedZone } from '#zones/list/full_list'
import { factsOfAll, ZoneSummaries } from '#zones/list/summaries'

/** Maximum number of owned zones that are checked. */
const MAX_OWNED_ZONES = 500

/** Problems of zones that the actor owns. */
export interface ZoneProblems {
  /** Zones without an enabled SOA record: name servers do not answer for them. */
  brokenZones: ListedZone[]
  /** Secondary zones that were never transferred. */
  empty: ListedZone[]
  /** Unsigned zones that the owner may sign. */
  unsigned: ListedZone[]
  /** Whether the actor owns more zones than were checked. */
  isCut: boolean
}

/** Checks some hundred zones of an actor. */
@inject()
export class OwnedZoneProblems {
  constructor(
    private readonly zones: ZoneList,
    private readonly summaries: ZoneSummaries,
    private readonly signing: SignNewZone
  ) {}

  async of(actor: Actor): Promise<ZoneProblems> {
    const ids = await ownedIds(actor)
    const zones = await this.zones.listByIds(actor, ids.slice(0, MAX_OWNED_ZONES))
    const summaries = await this.summaries.backendSummaries(zones)
    const facts = await factsOfAll(zones)
    const isServed = ({ id }: ListedZone) => summaries.get(id)?.serial !== null
    const summarizedZones = zones.filter(({ id }) => summaries.has(id))
    const replicas = new Set(
      summarizedZones
        .filter(({ type }) => isReplica({ kind: type as ZoneKind }))
        .map(({ id }) => id)
    )
    const maySign = new Set(
      facts
        .filter((zone) => authorize(actor, { action: 'zone.manage_dnssec', zone }).allowed)
        .map(({ id }) => id)
    )
    return {
      brokenZones: summarizedZones.filter((zone) => !isServed(zone) && !replicas.has(zone.id)),
      empty: summarizedZones.filter((zone) => !isServed(zone) && replicas.has(zone.id)),
      unsigned: summarizedZones.filter(
        (zone) =>
          this.signing.isOffered &&
          maySign.has(zone.id) &&
          !replicas.has(zone.id) &&
          !summaries.get(zone.id)?.signing
      ),
      isCut: ids.length > MAX_OWNED_ZONES,
    }
  }
}

/**
 * Returns zones of the user and of the user's groups, lowest ids first, at most one more than the
 * limit.
 */
async function ownedIds({ userId, groups }: Actor): Promise<number[]> {
  const ownRows: { id: number | string }[] = await db
    .from('zw_zone_owners')
    .where('user_id', userId ?? 0)
    .orderBy('zone_id')
    .limit(MAX_OWNED_ZONES + 1)
    .select('zone_id as id')
  const groupRows: { id: number | string }[] = await db
    .from('zw_zone_groups')
    .whereIn('group_id', [0, ...groups.map(({ id }) => id)])
    .orderBy('zone_id')
    .limit(MAX_OWNED_ZONES + 1)
    .select('zone_id as id')
  const ids = new Set([...ownRows, ...groupRows].map(({ id }) => Number(id)))
  return [...ids].sort((one, other) => one - other).slice(0, MAX_OWNED_ZONES + 1)
}
