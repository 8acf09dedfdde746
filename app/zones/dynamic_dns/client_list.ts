import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { ownershipOf } from '#access/ownership'
import dyndns from '#config/dyndns'
import { CLIENT_TEXTS } from '#database/trigram_index/source'
import { spellingsOf } from '#dns/names/idn'
import { defineList } from '#lists/declaration'
import { findSmallMatch } from '#lists/sql/small_match'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'
import type { ClientRow } from '#zones/dynamic_dns/client_activity_store'
import { clientActivity } from '#zones/dynamic_dns/client_activity'
import { visibleZones } from '#zones/visibility'

const HOUR_MS = 3_600_000

/** Columns and filters of the client list. */
export const CLIENT_LIST = defineList({
  sort: {
    hostname: 'caseless',
    last_seen_at: 'plain',
    last_change_at: 'plain',
    last_code: 'caseless',
    requests: 'number',
    changes: 'number',
  },
  filters: { hostname: 'caseless', last_code: 'exact' },
  search: ['hostname', 'zone_name'],
  names: ['hostname', 'zone_name'],
  defaultOrder: [{ field: 'last_seen_at', descending: true }, { field: 'id' }],
})

type Field = keyof typeof CLIENT_LIST.sort
type Filter = keyof typeof CLIENT_LIST.filters
type Column = 'hostname' | 'zone_name' | 'last_seen_at' | 'id'
type ClientQuery = ListQuery<Field, Filter>

export interface DyndnsClient {
  row: ClientRow
  /** Times of the last changes, oldest first. */
  recentChanges: string[]
  isFlapping: boolean
  /**
   * Whether the actor may view who updated the host and from where: a right on the zone history.
   */
  isVisible: boolean
}

/**
 * Lists hosts with dynamic DNS updates, in zones that the actor may view and the API key reaches.
 */
export async function listClients(
  actor: Actor,
  query: ClientQuery
): Promise<ListResult<DyndnsClient>> {
  await clientActivity.flush()
  const { rows, ...pageInfo } = await listInDatabase<ClientRow, Field, Column, Filter>(
    CLIENT_LIST,
    query,
    await sourceOf(actor)
  )
  return { rows: await shownRows(actor, rows), ...pageInfo }
}

/** As `listClients`, without paging, in batches. */
export async function* clientBatches(
  actor: Actor,
  query: ClientQuery
): AsyncGenerator<DyndnsClient[], void> {
  await clientActivity.flush()
  const source = await sourceOf(actor)
  const batches = batchesInDatabase<ClientRow, Field, Column, Filter>(CLIENT_LIST, query, source)
  for await (const rows of batches) {
    yield await shownRows(actor, rows)
  }
}

async function sourceOf(actor: Actor): Promise<ListSource<Field | Column | Filter>> {
  const onlyVisible = await visibleZones(actor)
  return {
    columns: {
      id: 'zw_dyndns_clients.id',
      hostname: 'zw_dyndns_clients.hostname',
      zone_name: 'zw_dyndns_clients.zone_name',
      last_seen_at: 'zw_dyndns_clients.last_seen_at',
      last_change_at: { column: 'zw_dyndns_clients.last_change_at', nullable: true },
      last_code: 'zw_dyndns_clients.last_code',
      requests: 'zw_dyndns_clients.requests',
      changes: 'zw_dyndns_clients.changes',
    },
    createQuery: () => {
      // A new zone may have the id of a deleted one, but not its name.
      const found = db
        .from('zw_dyndns_clients')
        .join('zw_zones', (on) =>
          on
            .on('zw_zones.id', 'zw_dyndns_clients.zone_id')
            .andOn('zw_zones.name', 'zw_dyndns_clients.zone_name')
        )
        .whereNotNull('zw_zones.kind')
      onlyVisible(found)
      return found
    },
    select: (found) => found.select('zw_dyndns_clients.*', 'zw_zones.kind as zone_kind'),
    search: async (q) => {
      const ids = await findSmallMatch(db.connection(), CLIENT_TEXTS, spellingsOf(q))
      return ids && ((rows) => void rows.whereIn('zw_dyndns_clients.id', ids))
    },
  }
}

async function shownRows(actor: Actor, rows: ClientRow[]): Promise<DyndnsClient[]> {
  const zones = await zonesWithVisibleHistory(actor, rows)
  return rows.map((row) => clientOfRow(row, zones.has(Number(row.zone_id))))
}

async function zonesWithVisibleHistory(actor: Actor, rows: ClientRow[]): Promise<Set<number>> {
  const zones = new Map(rows.map((row) => [Number(row.zone_id), row.zone_name]))
  const found = [...zones].map(([id, name]) => ({ id, name }))
  const owners = await ownershipOf(found)
  const nobody = { users: new Set<number>(), groups: new Set<number>() }
  const visible = found.filter((zone) => {
    const facts = { ...zone, kind: '', ownership: owners.get(zone.id) ?? nobody }
    return authorize(actor, { action: 'zone.view_history', zone: facts }).allowed
  })
  return new Set(visible.map(({ id }) => id))
}

function clientOfRow(row: ClientRow, isHistoryVisible: boolean): DyndnsClient {
  const recentChanges = JSON.parse(row.recent_changes) as string[]
  const hourAgo = new Date(Date.now() - HOUR_MS).toISOString()
  const updatesInLastHour = recentChanges.filter((time) => time > hourAgo).length
  return {
    row,
    recentChanges,
    isFlapping: updatesInLastHour >= dyndns.flapping_changes,
    isVisible: isHistoryVisible,
  }
}
