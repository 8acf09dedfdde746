import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import { trashedZoneFromRow, type TrashedZone, type TrashRow } from '#changes/journal/trash'
import { defineList } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'

/** Columns and filters of the trash; the default order is newest deletion first. */
export const TRASH_LIST = defineList({
  sort: {},
  search: [],
  defaultOrder: [{ field: 'id', descending: true }],
})

type TrashQuery = ListQuery<never, never>

/** Lists deleted zones that the actor could view before their deletion. */
export async function listTrash(actor: Actor, query: TrashQuery): Promise<ListResult<TrashedZone>> {
  const { rows, ...pageInfo } = await listInDatabase<TrashRow, never, 'id', never>(
    TRASH_LIST,
    query,
    sourceOf(actor)
  )
  return { rows: rows.map(trashedZoneFromRow), ...pageInfo }
}

/** As `listTrash`, without paging, in batches. */
export async function* trashBatches(
  actor: Actor,
  query: TrashQuery
): AsyncGenerator<TrashedZone[], void> {
  const batches = batchesInDatabase<TrashRow, never, 'id', never>(
    TRASH_LIST,
    query,
    sourceOf(actor)
  )
  for await (const rows of batches) {
    yield rows.map(trashedZoneFromRow)
  }
}

/** Returns whether the actor could view the zone before its deletion. */
export async function seesTrashed(actor: Actor, { id }: Pick<TrashedZone, 'id'>): Promise<boolean> {
  const rows = db.from('zw_trash').where('zw_trash.id', id)
  onlyVisible(actor, rows)
  return (await rows.select('zw_trash.id').first()) !== null
}

function sourceOf(actor: Actor): ListSource<'id'> {
  return {
    columns: { id: { column: 'zw_trash.id', unique: true } },
    createQuery: () => {
      const rows = db.from('zw_trash')
      onlyVisible(actor, rows)
      return rows
    },
    select: (rows) => rows.select('zw_trash.*'),
  }
}

/**
 * Restricts a query to zones that the actor could view: all zones, or formerly owned ones, directly
 * or through a group. API keys for single zones match no deleted zone.
 */
function onlyVisible(actor: Actor, rows: DatabaseQueryBuilderContract): void {
  if (actor.key?.zones) {
    rows.whereRaw('1 = 0')
    return
  }
  if (isSuperUser(actor) || hasPermission(actor, 'zone_content_view_others')) {
    return
  }
  const groups = actor.groups.filter(({ permissions }) => permissions.has('zone_content_view_own'))
  const canViewOwned = actor.permissions.has('zone_content_view_own')
  const owned = db
    .from('zw_trash_owners')
    .where({ kind: 'user', owner_id: canViewOwned ? (actor.userId ?? 0) : 0 })
    .orWhere((some) => {
      some.where('kind', 'group').whereIn('owner_id', [0, ...groups.map(({ id }) => id)])
    })
  rows.whereIn('zw_trash.id', owned.select('trash_id'))
}
