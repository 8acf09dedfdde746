import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { loadGroupAsOwner } from '#access/grantees'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import {
  changeOwnersOf,
  type LockedOwners,
  type OwnerChange,
} from '#changes/ownership/change_owners'
import { repairZoneRows } from '#changes/recovery/reconcile'
import dns from '#config/dns'
import { holdRow } from '#database/rows/row_lock'
import { zoneNamesContaining } from '#database/trigram_index/lookup'
import { invalid, notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'
import { zoneListState } from '#lists/sql/zone_count'
import { refuseLastOwner } from '#zones/ownership/owner_rows'
import { visibilityOf, visibleZones } from '#zones/visibility'

/** A zone that a group owns. */
export interface GroupZone {
  zone_id: number
  zone_name: string
  zone_type: string
  /** Time of the assignment, ISO 8601. */
  created_at: string
}

/** Columns and filters of the list. */
export const GROUP_ZONE_LIST = defineList({
  sort: { zone_id: 'number', zone_name: 'natural', zone_type: 'plain', created_at: 'plain' },
  search: ['zone_name'],
  names: ['zone_name'],
  defaultOrder: [
    { field: 'created_at', descending: true },
    { field: 'zone_id', descending: true },
  ],
})

type Field = keyof typeof GROUP_ZONE_LIST.sort
type GroupZoneQuery = ListQuery<Field, never>

/** A zone row with its name in the backend; null if the zone is deleted. */
type Row = GroupZone & { stored_name: string | null }

/** Zones of groups. Callers see zones that they may view and their key reaches. */
@inject()
export class GroupZones {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Counts the visible zones of each group; groups without any are absent. */
  async counts(actor: Actor, groupIds: number[]): Promise<Map<number, number>> {
    const onlyVisible = await visibleZones(actor)
    const ownedRows = ownedBy(groupIds)
    onlyVisible(ownedRows)
    const rows = (await ownedRows
      .groupBy('owned.group_id')
      .select('owned.group_id')
      .count('* as total')) as { group_id: number; total: number | string }[]
    return new Map(rows.map((row) => [row.group_id, Number(row.total)]))
  }

  /**
   * Lists zones of a group, last assignment first. Throws a 403 `Refusal` for actors outside the
   * group.
   */
  async list(actor: Actor, groupId: number, query: GroupZoneQuery): Promise<ListResult<GroupZone>> {
    demand(actor, { action: 'group.view', groupId })
    const read = async () =>
      listInDatabase<Row, Field, keyof GroupZone, never>(
        GROUP_ZONE_LIST,
        query,
        await this.#source(actor, groupId)
      )
    const page = await read()
    const areStale = await this.#repairStale(page.rows)
    const { rows, ...pageInfo } = areStale ? await read() : page
    return { rows: rows.filter(isThere).map(visibleOwners), ...pageInfo }
  }

  /** As `list`, without paging, in batches. */
  async *batches(
    actor: Actor,
    groupId: number,
    query: GroupZoneQuery
  ): AsyncGenerator<GroupZone[], void> {
    demand(actor, { action: 'group.view', groupId })
    const source = await this.#source(actor, groupId)
    const batches = batchesInDatabase<Row, Field, keyof GroupZone, never>(
      GROUP_ZONE_LIST,
      query,
      source
    )
    for await (const rows of batches) {
      await this.#repairStale(rows)
      yield rows.filter(isThere).map(visibleOwners)
    }
  }

  /**
   * Updates rows of zones that another program deleted or renamed. Returns whether any row was
   * stale.
   */
  async #repairStale(rows: Row[]): Promise<boolean> {
    const stale = rows.filter((row) => !isThere(row)).map((row) => Number(row.zone_id))
    if (stale.length > 0) {
      await repairZoneRows(this.#backend, stale)
    }
    return stale.length > 0
  }

  async #source(actor: Actor, groupId: number): Promise<ListSource<keyof GroupZone>> {
    const { table, columns } = this.#backend.zoneIndex
    const onlyVisible = await visibleZones(actor)
    return {
      columns: {
        zone_id: 'zw_zones.id',
        zone_name: { column: 'zw_zones.name', sortKey: 'zw_zones.sort_key' },
        zone_type: 'zw_zones.kind',
        created_at: 'owned.created_at',
      },
      createQuery: () => {
        const ownedRows = ownedBy([groupId])
        onlyVisible(ownedRows)
        return ownedRows
      },
      select: (ownedRows) =>
        ownedRows
          .leftJoin(table, `${table}.${columns.id}`, 'zw_zones.id')
          .select(
            'zw_zones.id as zone_id',
            'zw_zones.name as zone_name',
            `${table}.${columns.name} as stored_name`,
            `${table}.${columns.kind} as zone_type`,
            'owned.created_at'
          ),
      search: (q) => zoneNamesContaining(db.connection(), 'zw_zones.name', q),
      readState: async () => {
        const { version } = await zoneListState(db.connection())
        return { scope: `group ${groupId} ${visibilityOf(actor)}`, version: String(version) }
      },
    }
  }

  /**
   * Assigns a zone to a group. Throws a 403 `Refusal` without the right, a 404 for a missing zone,
   * and a 400 if the group owns the zone.
   */
  async assign(intent: Intent, groupId: number, zoneId: number): Promise<void> {
    await this.change(intent, groupId, { add: [zoneId], remove: [] })
  }

  /**
   * Removes a zone from a group. Throws a 403 `Refusal` without the right, a 404 for a zone of
   * others, and a 400 if the group is the only owner.
   */
  async unassign(intent: Intent, groupId: number, zoneId: number): Promise<void> {
    await this.change(intent, groupId, { add: [], remove: [zoneId] })
  }

  /**
   * Assigns and removes zones in one transaction. Throws as `assign` and `unassign`.
   *
   * @returns the number of zones in the request
   */
  async change(
    intent: Intent,
    groupId: number,
    { add, remove }: { add: number[]; remove: number[] }
  ): Promise<number> {
    const { actor } = intent
    const added = new Set(add)
    const zones = [...new Set([...add, ...remove])]
    demand(actor, { action: 'group.manage' })
    zones.forEach((zoneId) => demand(actor, { action: 'key.reach', zoneId }))
    if (added.size > 0 && dns.zone_ownership_mode === 'users_only') {
      throw invalid(
        'Groups cannot own zones: zones are owned by users only (dns.zone_ownership_mode)'
      )
    }
    await changeOwnersOf(this.#backend, intent, zones, (locked) =>
      added.has(locked.zone.id) ? assignTo(actor, groupId, locked) : take(groupId, locked)
    )
    return zones.length
  }
}

async function assignTo(
  actor: Actor,
  groupId: number,
  { trx, zone }: LockedOwners
): Promise<OwnerChange<void>> {
  // Locks the group against deletion.
  await holdRow(trx, 'zw_groups', groupId)
  const to = await loadGroupAsOwner(trx, groupId)
  if (!to) {
    throw notFound('Group not found')
  }
  demand(actor, { action: 'zone.grant', zone, to })
  if (zone.ownership.groups.has(groupId)) {
    throw invalid('Group already owns this zone')
  }
  const row = { zone_id: zone.id, group_id: groupId, created_at: timestampNow() }
  await trx.table('zw_zone_groups').insert(row)
  return { result: undefined, added: { groups: [groupId] } }
}

async function take(groupId: number, { trx, zone }: LockedOwners): Promise<OwnerChange<void>> {
  if (!zone.ownership.groups.has(groupId)) {
    throw notFound('Zone assignment not found')
  }
  refuseLastOwner(zone)
  await trx.from('zw_zone_groups').where({ zone_id: zone.id, group_id: groupId }).delete()
  return { result: undefined, removed: { groups: [groupId] } }
}

/** Assignments of these groups, joined with zone rows. */
function ownedBy(groupIds: number[]): DatabaseQueryBuilderContract {
  return db
    .from('zw_zone_groups as owned')
    .join('zw_zones', 'zw_zones.id', 'owned.zone_id')
    .whereNotNull('zw_zones.kind')
    .whereIn('owned.group_id', [0, ...groupIds])
}

/** Returns whether the zone still exists: a new zone with a reused id has another name. */
function isThere({ zone_name: name, stored_name: stored }: Row): boolean {
  return stored?.toLowerCase() === name
}

function visibleOwners(row: GroupZone): GroupZone {
  return {
    zone_id: Number(row.zone_id),
    zone_name: row.zone_name,
    zone_type: row.zone_type.toUpperCase() || 'MASTER',
    created_at: row.created_at,
  }
}
