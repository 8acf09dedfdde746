import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { ownershipOf } from '#access/ownership'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { writeUserZones, type UserZonesSession } from '#changes/ownership/transfer_user_zones'
import { visibleZones } from '#zones/visibility'

/** Maximum number of ids in one statement, for every database. */
const MAX_LISTED_ZONES = 10_000

/** A zone that a user owns. */
export interface OwnedZone {
  id: number
  name: string
  /** Number of other owners, users and groups. */
  others: number
}

interface ZoneRow {
  id: number | string
  name: string
  kind: string
}

/** Zones that users own directly. */
@inject()
export class UserZones {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Counts the directly owned zones of each user; users without zones are absent. One query, by
   * index on these users.
   */
  async counts(users: readonly { id: number }[]): Promise<Map<number, number>> {
    if (users.length === 0) {
      return new Map()
    }
    const { table, columns } = this.#backend.zoneIndex
    const query = db
      .from('zw_zone_owners')
      .join('zw_zones', 'zw_zones.id', 'zw_zone_owners.zone_id')
      .join(table, (zone) => {
        zone
          .on(`${table}.${columns.id}`, 'zw_zones.id')
          .andOn(`${table}.${columns.name}`, 'zw_zones.name')
      })
      .groupBy('zw_zone_owners.user_id')
      .select('zw_zone_owners.user_id as id')
      .count('* as zones')
    if (users.length <= MAX_LISTED_ZONES) {
      query.whereIn(
        'zw_zone_owners.user_id',
        users.map(({ id }) => id)
      )
    }
    const rows = (await query) as { id: number; zones: number | string }[]
    return new Map(rows.map(({ id, zones }) => [id, Number(zones)]))
  }

  /**
   * Returns zones that the user owns directly and the actor may view, by name, with the number of
   * other owners. The caller checks the right to view users.
   */
  async listOwned(actor: Actor, userId: number, maxZones: number): Promise<OwnedZone[]> {
    const onlyVisible = await visibleZones(actor)
    const rows = db
      .from('zw_zone_owners as owned')
      .join('zw_zones', 'zw_zones.id', 'owned.zone_id')
      .whereNotNull('zw_zones.kind')
      .where('owned.user_id', userId)
    onlyVisible(rows)
    const zones = (await rows
      .orderBy('zw_zones.sort_key')
      .limit(maxZones)
      .select('zw_zones.id', 'zw_zones.name', 'zw_zones.kind')) as ZoneRow[]
    const known = zones.map(({ id, name, kind }) => ({ id: Number(id), name, kind }))
    const owners = await ownershipOf(known)
    return known.map(({ id, name }) => {
      const ownership = owners.get(id)
      const others = ownership ? ownership.users.size + ownership.groups.size - 1 : 0
      return { id, name, others }
    })
  }

  /** Runs `work` in one transaction on the zones of users. */
  inTransaction<T>(work: (session: UserZonesSession) => Promise<T>): Promise<T> {
    return writeUserZones(this.#backend, work)
  }
}
