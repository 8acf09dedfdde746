import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { holds, isSuperUser, type Actor } from '#access/actor'
import { REVIEW_RIGHTS } from '#access/review_rules'
import type { Permission } from '#access/permissions'
import { REQUEST_STATUSES, type ChangeRequest } from '#changes/requests/change_request'
import { actionCounts, withParts, type RequestRow } from '#changes/requests/request_store'
import { defineList } from '#lists/declaration'
import { listInDatabase } from '#lists/in_database'
import type { Listed } from '#lists/listed'
import { MAX_PER_PAGE } from '#lists/page'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/view'
import { demandReview } from '#review/open_request'
import { seenRequests } from '#review/seen_requests'

/** What the list of change requests can be asked for. Without a status, it is those that wait. */
export const REQUEST_LIST = defineList({
  sort: {},
  filters: { status: [...REQUEST_STATUSES, 'all'], zone_id: 'exact' },
  search: [],
  defaultOrder: [{ field: 'id', descending: true }],
})

type RequestQuery = ListQuery<never, 'status' | 'zone_id'>
type Rows = DatabaseQueryBuilderContract

/** A batch has so many requests at most, and ends with the one by which it has so many actions. */
const BATCH = 200
const BATCH_ACTIONS = 1_000

/** The page of a list that names none: the newest, as many as a page has at most. */
const FIRST_PAGE = { number: 1, size: MAX_PER_PAGE, offset: 0 }

/**
 * Requests that the actor filed, or may review, the newest first. All of them fit on one page, or the answer has the
 * total (`isCut`). Throws a 404 `Refusal` while there is no review.
 */
export async function listRequests(
  actor: Actor,
  query: RequestQuery
): Promise<Listed<RequestRow> & { isCut: boolean }> {
  demandReview()
  const { status = 'pending', zone_id: zoneId } = query.filters
  const source: ListSource = {
    columns: { id: { column: 'zw_change_requests.id', unique: true } },
    matching() {
      const rows = db.from('zw_change_requests')
      if (status !== 'all') rows.where('zw_change_requests.status', status)
      if (zoneId !== undefined) {
        // By the index of zones, once: asked for each request, a zone with many of them costs their square.
        const ofZone = db.from('zw_change_request_zones').where('zone_id', rowId(zoneId))
        rows.whereIn('zw_change_requests.id', ofZone.select('request_id'))
      }
      return onlySeen(rows, actor)
    },
    select: (rows) => rows.select('zw_change_requests.*'),
  }
  const listed = await listInDatabase<RequestRow, never, 'id', never>(
    { ...REQUEST_LIST, filters: {} },
    { ...query, filters: {}, q: null, page: query.page ?? FIRST_PAGE },
    source
  )
  const { rows, total } = listed
  return { ...listed, isCut: !query.page && total !== null && total > rows.length }
}

/** A request of a list, and whether the actor may see what its zones hold. */
export interface ListedRequest {
  request: ChangeRequest
  isSeen: boolean
}

/**
 * The requests of some rows with all their parts, in batches that are read when they are asked for: one request may have
 * thousands of actions.
 */
export async function* requestBatches(
  actor: Actor,
  rows: RequestRow[]
): AsyncGenerator<ListedRequest[], void> {
  const sizes = await actionCounts(rows.map(({ id }) => Number(id)))
  let batch: RequestRow[] = []
  let actions = 0
  for (const [index, row] of rows.entries()) {
    batch.push(row)
    actions += sizes.get(Number(row.id)) ?? 0
    if (actions >= BATCH_ACTIONS || batch.length >= BATCH || index === rows.length - 1) {
      const requests = await withParts(batch)
      const seen = await seenRequests(actor, requests)
      yield requests.map((request) => ({ request, isSeen: seen.has(request.id) }))
      batch = []
      actions = 0
      // SQLite's driver is synchronous: others get their turn between the batches.
      await turn()
    }
  }
}

/** An id that there can be; no row has the id 0. */
function rowId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  return id <= 2_147_483_647 ? id : 0
}

function zonesOfRow(): Rows {
  return db
    .from('zw_change_request_zones as rz')
    .whereColumn('rz.request_id', 'zw_change_requests.id')
    .select(db.raw('1'))
}

/** Narrows a query to what the actor filed or may review; of a key for zones, to these. */
function onlySeen(rows: Rows, actor: Actor): Rows {
  if (!seesAll(actor)) {
    rows.where((some) => {
      some.where('zw_change_requests.requester_id', actor.userId ?? 0)
      if (mayReviewSome(actor)) {
        some.orWhereNotExists(
          zonesOfRow().where((zone) => zone.whereNot((own) => reviewed(own, actor)))
        )
      }
    })
  }
  const keyZones = actor.key?.zones
  if (keyZones) {
    rows.whereNotExists(
      zonesOfRow().where((zone) =>
        zone
          .whereNotIn('rz.zone_id', [...keyZones.keys()])
          .orWhereNotIn('rz.zone_name', [...keyZones.values()])
      )
    )
  }
  return rows
}

function seesAll(actor: Actor): boolean {
  return (
    isSuperUser(actor) ||
    REVIEW_RIGHTS.every(({ others }) => others.some((right) => holds(actor, right)))
  )
}

function mayReviewSome(actor: Actor): boolean {
  return REVIEW_RIGHTS.every(({ own, others }) =>
    [...own, ...others].some((right) => holds(actor, right))
  )
}

/** Narrows to zones of which every right to review is in force: everywhere, or because the actor owns them. */
function reviewed(zone: Rows, actor: Actor): void {
  zone.whereRaw('1 = 1')
  for (const { own, others } of REVIEW_RIGHTS) {
    if (!others.some((right) => holds(actor, right))) {
      zone.whereExists(ownedBy(actor, own))
    }
  }
}

/** The zone of a request, where the actor owns it with one of the rights. */
function ownedBy(actor: Actor, rights: Permission[]): Rows {
  const isHolder = rights.some((right) => actor.permissions.has(right))
  const groups = actor.groups
    .filter(({ permissions }) => rights.some((right) => permissions.has(right)))
    .map(({ id }) => id)
  const owners = (table: string) =>
    db.from(table).whereColumn(`${table}.zone_id`, 'z.id').select(db.raw('1'))
  return db
    .from('zw_zones as z')
    .whereColumn('z.uid', 'rz.zone_uid')
    .select(db.raw('1'))
    .where((some) => {
      some.whereExists(
        owners('zw_zone_owners').where('user_id', (isHolder ? actor.userId : null) ?? 0)
      )
      if (groups.length > 0) {
        some.orWhereExists(owners('zw_zone_groups').whereIn('group_id', groups))
      }
    })
}
