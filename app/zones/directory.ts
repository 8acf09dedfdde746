import db from '@adonisjs/lucid/services/db'
import { inject } from '@adonisjs/core'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { holds, isSuperUser, type Actor } from '#access/actor'
import { authorize, type ZoneAction, type ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import { notFound } from '#exceptions/refusal'

/** A zone that the caller may act on, with what the decision was made from. */
export interface OpenZone {
  zone: BackendZone
  facts: ZoneFacts
}

/** A zone in a list. */
export interface ListedZone {
  id: number
  name: string
  kind: string
}

/** Which zones to list. */
export interface ZoneQuery {
  /** Exactly this name, canonical; null is a name that no zone has. */
  name?: string | null
  /** Both or none: from 0, and how many. */
  offset?: number
  limit?: number
}

/** Finds and lists zones, always through the caller's rights. */
@inject()
export class ZoneDirectory {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * The zone, for the action. Throws, in this order: 403 when the key does not reach it, 404 when it is
   * missing or hidden from the caller, 403 when the caller may not do this to it.
   */
  async open(actor: Actor, id: number, action: ZoneAction): Promise<OpenZone> {
    const open = await this.#find(actor, id)
    demand(actor, { action, zone: open.facts })
    return open
  }

  async #find(actor: Actor, id: number): Promise<OpenZone> {
    demand(actor, { action: 'key.reach', zoneId: id })
    const zone = await this.#backend.findZone(id)
    if (!zone) {
      throw notFound('Zone not found')
    }
    const facts = await factsOf(zone)
    demand(actor, { action: 'key.reach', zoneId: id, zoneName: zone.name })
    return { zone, facts }
  }

  /**
   * The zone, for a request whose body decides what it needs: the write itself asks for that. Throws as
   * `open` does, but for the last reason.
   */
  async openVisible(actor: Actor, id: number): Promise<OpenZone> {
    const open = await this.#find(actor, id)
    if (authorize(actor, { action: 'zone.view', zone: open.facts }).hidden) {
      throw notFound('Zone not found')
    }
    return open
  }

  /** Text that people attached to the zone; null when there is none. */
  async descriptionOf(zone: BackendZone): Promise<string | null> {
    const row: { description: string | null } | null = await db
      .from('zw_zones')
      .where({ id: zone.id, name: zone.name })
      .select('description')
      .first()
    return row?.description ?? null
  }

  /** The zones that the caller may see, by name, and how many there are without the window. */
  async list(actor: Actor, query: ZoneQuery): Promise<{ zones: ListedZone[]; total: number }> {
    if (query.name === null) {
      return { zones: [], total: 0 }
    }
    const { table, columns } = this.#backend.zoneIndex
    const { name } = query
    const matching = () => {
      const rows = db.from(table)
      this.#onlyVisible(rows, actor)
      if (name !== undefined) {
        rows.where(`${table}.${columns.name}`, name)
      }
      return rows
    }
    const listing = matching()
      .select(
        `${table}.${columns.id} as id`,
        `${table}.${columns.name} as name`,
        `${table}.${columns.kind} as kind`
      )
      .orderBy(`${table}.${columns.name}`)
    if (query.limit === undefined) {
      const zones = (await listing) as ListedZone[]
      return { zones: zones.map(listed), total: zones.length }
    }
    const [count] = (await matching().count('* as total')) as { total: number | string }[]
    const zones = (await listing.offset(query.offset ?? 0).limit(query.limit)) as ListedZone[]
    return { zones: zones.map(listed), total: Number(count.total) }
  }

  /** Narrows to zones that the caller may view and the key reaches; an owner counts by id and name. */
  #onlyVisible(rows: DatabaseQueryBuilderContract, actor: Actor): void {
    const { table, columns } = this.#backend.zoneIndex
    const sameZone = (query: DatabaseQueryBuilderContract, ids: string) =>
      query
        .join('zw_zones', 'zw_zones.id', ids)
        .whereColumn('zw_zones.id', `${table}.${columns.id}`)
        .whereColumn('zw_zones.name', `${table}.${columns.name}`)

    const keyZones = actor.key?.zones
    if (keyZones) {
      rows.whereIn(`${table}.${columns.id}`, [...keyZones.keys()])
      rows.whereIn(`${table}.${columns.name}`, [...keyZones.values()])
    }
    if (isSuperUser(actor) || holds(actor, 'zone_content_view_others')) {
      return
    }
    const groups = actor.groups
      .filter((group) => group.permissions.has('zone_content_view_own'))
      .map((group) => group.id)
    const viewsOwn = actor.permissions.has('zone_content_view_own') && actor.userId !== null
    rows.where((visible) => {
      // Deny by default: without any right the list is empty.
      visible.whereRaw('1 = 0')
      if (viewsOwn) {
        visible.orWhereExists((owned) =>
          sameZone(owned.from('zw_zone_owners'), 'zw_zone_owners.zone_id').where(
            'zw_zone_owners.user_id',
            actor.userId ?? 0
          )
        )
      }
      if (groups.length > 0) {
        visible.orWhereExists((owned) =>
          sameZone(owned.from('zw_zone_groups'), 'zw_zone_groups.zone_id').whereIn(
            'zw_zone_groups.group_id',
            groups
          )
        )
      }
    })
  }
}

function listed(row: ListedZone): ListedZone {
  return { id: Number(row.id), name: row.name, kind: row.kind.toUpperCase() || 'MASTER' }
}
