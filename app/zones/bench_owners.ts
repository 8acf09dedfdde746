import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import { maintainer } from '#access/actor'
import { intentOf } from '#changes/intent'
import { refreshStatistics } from '#database/statistics'
import { GroupZones } from '#zones/group_zones'
import { ZoneOwners } from '#zones/zone_owners'

/** Who gets zones, by id. */
export interface BenchOwner {
  userId?: number
  groupId?: number
}

/** Gives made-up zones to somebody, as an administrator would: for lists of those who do not see everything. */
@inject()
export class BenchOwners {
  constructor(
    private readonly owners: ZoneOwners,
    private readonly groups: GroupZones
  ) {}

  /**
   * Makes a user and a group the owners of zones, spread evenly over all of them; each gets others where there are
   * enough. Throws a 404 `Refusal` for a user or a group that is not there.
   *
   * @param zones ids of the first and the last zone, all between them included
   * @param most  how many zones each of the two gets, as far as there are so many
   */
  async give(
    zones: { firstId: number; lastId: number },
    most: number,
    { userId, groupId }: BenchOwner
  ): Promise<void> {
    const intent = intentOf(maintainer())
    const total = zones.lastId - zones.firstId + 1
    const count = Math.min(most, total)
    for (let i = 0; i < count; i++) {
      const at = Math.floor((i * total) / count)
      if (userId !== undefined) await this.owners.add(intent, zones.firstId + at, userId)
      const next = zones.firstId + ((at + 1) % total)
      if (groupId !== undefined) await this.groups.assign(intent, groupId, next)
    }
    await refreshStatistics(db.connection(), ['zw_zone_owners', 'zw_zone_groups'])
  }
}
