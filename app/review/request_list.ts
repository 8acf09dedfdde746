import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { chunks } from '#database/statements/chunks'
import { rowIdIn } from '#database/rows/row_ids'
import { REQUEST_STATUSES, type ChangeRequest } from '#changes/model/change_request'
import { actionCounts, withParts, type RequestRow } from '#changes/requests/store'
import { defineList } from '#lists/declaration'
import { listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import { MAX_PER_PAGE } from '#lists/page'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'
import { requireReviewEnabled } from '#review/open_request'
import {
  canReviewSome,
  onlyForReview,
  onlyFiledBy,
  onlyVisible,
  findZonesForOthers,
  type RequestRowQuery,
} from '#review/visibility'
import { findVisibleRequests } from '#review/visible_requests'

/** Filters of the list of change requests. */
export const REQUEST_LIST = defineList({
  sort: {},
  filters: { status: [...REQUEST_STATUSES, 'all'], zone_id: 'exact' },
  search: [],
  defaultOrder: [{ field: 'id', descending: true }],
})

/** Default filters: pending requests. */
export const DEFAULT_FILTERS = { status: 'pending' } as const

type RequestQuery = ListQuery<never, 'status' | 'zone_id'>

/**
 * Scope of a list: all visible requests, own ones, or those of other authors that the actor may
 * review and has not approved.
 */
export type RequestScope = 'all' | 'own' | 'review'

/** Filters by staleness, as the last sweep stored it. */
function onlyStale(rows: RequestRowQuery, isStale: boolean): RequestRowQuery {
  return rows.where((condition) =>
    isStale
      ? condition
          .whereNotNull('zw_change_requests.stale')
          .whereNot('zw_change_requests.stale', '[]')
      : condition.whereNull('zw_change_requests.stale').orWhere('zw_change_requests.stale', '[]')
  )
}

/** Maximum of the counter of waiting requests. */
export const MAX_WAITING_COUNT = 100

/** Limits of a batch: requests, and actions, whichever is reached first. */
const REQUEST_BATCH_SIZE = 200
const ACTION_BATCH_SIZE = 1_000

/** Default page of a list: the newest requests, up to the maximal page size. */
const FIRST_PAGE = { number: 1, size: MAX_PER_PAGE, offset: 0 }

/**
 * Requests that the actor filed or may review, the newest first. Without a page, the first one with
 * its total (`isCut`). Throws a 404 `Refusal` if review is disabled.
 *
 * @param more `isStale` selects stale requests, or the others
 */
export async function listRequests(
  actor: Actor,
  query: RequestQuery,
  scope: RequestScope = 'all',
  { isStale }: { isStale?: boolean } = {}
): Promise<ListResult<RequestRow> & { isCut: boolean }> {
  requireReviewEnabled()
  const { status, zone_id: zoneId } = { ...DEFAULT_FILTERS, ...query.filters }
  const restrict = await buildScope(actor, scope)
  const source: ListSource = {
    columns: { id: { column: 'zw_change_requests.id', unique: true } },
    createQuery() {
      const rows = db.from('zw_change_requests')
      if (status !== 'all') rows.where('zw_change_requests.status', status)
      if (isStale !== undefined) onlyStale(rows, isStale)
      if (zoneId !== undefined) {
        // One lookup by the index of zones: per request, the cost would be quadratic for a zone
        // with many requests.
        const requestsOfZone = db.from('zw_change_request_zones').where('zone_id', rowIdIn(zoneId))
        rows.whereIn('zw_change_requests.id', requestsOfZone.select('request_id'))
      }
      return restrict(rows)
    },
    select: (rows) => rows.select('zw_change_requests.*'),
  }
  const listResult = await listInDatabase<RequestRow, never, 'id', never>(
    { ...REQUEST_LIST, filters: {} },
    { ...query, filters: {}, q: null, page: query.page ?? FIRST_PAGE },
    source
  )
  const { rows, total } = listResult
  return { ...listResult, isCut: !query.page && total !== null && total > rows.length }
}

/**
 * Number of requests that wait for a decision of the actor, up to `MAX_WAITING_COUNT`; 0 if review is
 * disabled.
 */
export async function countWaiting(actor: Actor): Promise<number> {
  if (!approval.isEnabled || !canReviewSome(actor)) {
    return 0
  }
  const restrict = await buildScope(actor, 'review')
  const pending = db.from('zw_change_requests').where('zw_change_requests.status', 'pending')
  const rows: unknown[] = await restrict(pending)
    .orderBy('zw_change_requests.id', 'desc')
    .limit(MAX_WAITING_COUNT)
    .select('zw_change_requests.id')
  return rows.length
}

/** Requests that cannot be applied without their author: pending and scheduled ones. */
export async function openRequestsOf(userId: number, limit: number): Promise<number[]> {
  const rows: { id: number | string }[] = await db
    .from('zw_change_requests')
    .where('requester_id', userId)
    .where((openCondition) =>
      openCondition
        .where('status', 'pending')
        .orWhere((scheduled) => scheduled.where('status', 'approved').whereNull('applied_at'))
    )
    .orderBy('id')
    .limit(limit)
    .select('id')
  return rows.map(({ id }) => Number(id))
}

async function buildScope(
  actor: Actor,
  scope: RequestScope
): Promise<(rows: RequestRowQuery) => RequestRowQuery> {
  if (scope === 'review') {
    const zonesForOthers = await findZonesForOthers(actor)
    return (rows) => onlyForReview(onlyVisible(rows, actor), actor, zonesForOthers)
  }
  return (rows) =>
    scope === 'own' ? onlyFiledBy(onlyVisible(rows, actor), actor) : onlyVisible(rows, actor)
}

/** A line of a list of requests. */
export interface RequestSummary {
  row: RequestRow
  zones: { id: number; name: string }[]
  actions: number
}

/** Summaries of rows in their order, by two queries for any size of the requests. */
export async function loadSummaries(rows: RequestRow[]): Promise<RequestSummary[]> {
  const ids = rows.map(({ id }) => Number(id))
  const actionCountById = await actionCounts(ids)
  const zones: { request_id: number; zone_id: number; zone_name: string }[] = []
  for (const part of chunks(ids)) {
    const condition: typeof zones = await db
      .from('zw_change_request_zones')
      .whereIn('request_id', part)
      .orderBy('request_id')
      .orderBy('position')
      .select('request_id', 'zone_id', 'zone_name')
    zones.push(...condition)
  }
  const byRequest = Map.groupBy(zones, ({ request_id: id }) => Number(id))
  return rows.map((row) => ({
    row,
    zones: (byRequest.get(Number(row.id)) ?? []).map(({ zone_id: id, zone_name: name }) => ({
      id,
      name,
    })),
    actions: actionCountById.get(Number(row.id)) ?? 0,
  }))
}

/** A request of a list; `isVisible`: the actor may view the content of its zones. */
export interface ListedRequest {
  request: ChangeRequest
  isVisible: boolean
}

/** The requests of rows with all parts, in batches: one request may have thousands of actions. */
export async function* requestBatches(
  actor: Actor,
  rows: RequestRow[]
): AsyncGenerator<ListedRequest[], void> {
  const actionCountById = await actionCounts(rows.map(({ id }) => Number(id)))
  let batch: RequestRow[] = []
  let actions = 0
  for (const [index, row] of rows.entries()) {
    batch.push(row)
    actions += actionCountById.get(Number(row.id)) ?? 0
    if (
      actions >= ACTION_BATCH_SIZE ||
      batch.length >= REQUEST_BATCH_SIZE ||
      index === rows.length - 1
    ) {
      const requests = await withParts(batch)
      const visible = await findVisibleRequests(actor, requests)
      yield requests.map((request) => ({ request, isVisible: visible.has(request.id) }))
      batch = []
      actions = 0
      // The SQLite driver is synchronous: requests run between the batches.
      await turn()
    }
  }
}
