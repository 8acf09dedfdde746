import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import { maintainer } from '#access/actor'
import { intentOf } from '#changes/model/intent'
import { refreshStatistics } from '#database/schema/statistics'
import { GroupZones } from '#zones/ownership/group_zones'
import { ZoneOwners } from '#zones/ownership/zone_owners'

/** Ids of the user and the group that become owners. */
export interface NewOwner {
  userId?: number
  groupId?: number
}

/** Adds owners to generated zones, for lists of users who see only some zones. */
@inject()
export class OwnerSeeder {
  constructor(
    private readonly owners: ZoneOwners,
    private readonly groups: GroupZones
  ) {}

  /**
   * Assigns a user and a group to zones, spread evenly over the range. They get different zones if there are enough. Throws a
   * 404 `Refusal` for an unknown user or group.
   *
   * @param zones ids of the first and the last zone
   * @param most  maximum number of zones for each of the two
   */
  async assignTo(
    zones: { firstId: number; lastId: number },
    most: number,
    { userId, groupId }: NewOwner
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
