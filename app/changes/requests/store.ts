import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { timestampNow } from '#changes/model/clock'
import type {
  ChangeRequest,
  RequestAction,
  RequestStatus,
  RequestZone,
  RecordedUser,
} from '#changes/model/change_request'
import { chunks } from '#database/statements/chunks'

/** A request to store. */
export type NewRequest = Pick<
  ChangeRequest,
  'kind' | 'requester' | 'comment' | 'zones' | 'actions' | 'applyAt'
>

/** A row of `zw_change_requests`. */
export interface RequestRow {
  id: number
  kind: ChangeRequest['kind']
  status: RequestStatus
  version: number
  requester_id: number | null
  requester_name: string
  request_comment: string | null
  reviewer_id: number | null
  reviewer_name: string | null
  review_comment: string | null
  created_at: string
  /** Time of the decision, by a reviewer or another event. */
  reviewed_at: string | null
  applied_at: string | null
  apply_at: string | null
  cancelled_at: string | null
  error: string | null
  stale: string | null
}

/** Stores a pending request in a transaction. */
export async function insertRequest(
  trx: QueryClientContract,
  request: NewRequest
): Promise<ChangeRequest> {
  const inserted = await trx
    .insertQuery<{ id: number | string }>()
    .table('zw_change_requests')
    .returning('id')
    .insert({
      kind: request.kind,
      status: 'pending',
      requester_id: request.requester.id,
      requester_name: request.requester.username,
      request_comment: request.comment,
      created_at: timestampNow(),
      apply_at: request.applyAt,
    })
  // The MariaDB driver returns the id itself.
  const [first] = inserted as (number | { id: number | string })[]
  const id = Number(typeof first === 'number' ? first : first.id)
  await insertParts(trx, id, request)
  const stored = await findRequest(id, trx)
  if (!stored) {
    throw new Error('A stored change request cannot be found')
  }
  return stored
}

/** Replaces the baseline of a request. It is pending again, and its approvals are deleted. */
export async function replaceParts(
  trx: QueryClientContract,
  { id, version }: ChangeRequest,
  parts: Pick<ChangeRequest, 'zones' | 'actions'>
): Promise<boolean> {
  const pending = { status: 'pending', error: null, reviewer_id: null, reviewer_name: null }
  const clearedReview = { review_comment: null, reviewed_at: null, stale: null }
  const updatedRows: unknown = await trx
    .from('zw_change_requests')
    .where({ id, version })
    .whereIn('status', ['pending', 'failed'])
    .update({ ...pending, ...clearedReview, version: version + 1 })
  if (Number(updatedRows) === 0) {
    return false
  }
  for (const table of ['zones', 'actions', 'approvals']) {
    await trx.from(`zw_change_request_${table}`).where('request_id', id).delete()
  }
  await insertParts(trx, id, parts)
  return true
}

async function insertParts(
  trx: QueryClientContract,
  id: number,
  { zones, actions }: Pick<ChangeRequest, 'zones' | 'actions'>
): Promise<void> {
  await trx.table('zw_change_request_zones').multiInsert(
    zones.map((zone, position) => ({
      request_id: id,
      position,
      zone_id: zone.id,
      zone_uid: zone.uid,
      zone_name: zone.name,
      base_serial: zone.baseSerial,
      terms: JSON.stringify(zone.terms),
    }))
  )
  const rows = actions.map(({ zone, requestedAction, ...rest }, position) => ({
    request_id: id,
    position,
    zone,
    wish: JSON.stringify(requestedAction),
    base: JSON.stringify(rest),
  }))
  for (const part of chunks(rows)) {
    await trx.table('zw_change_request_actions').multiInsert(part)
  }
}

/** A request; null without one of this id. */
export async function findRequest(
  id: number,
  client: QueryClientContract = db.connection()
): Promise<ChangeRequest | null> {
  if (id > 2_147_483_647) {
    return null
  }
  const row: RequestRow | null = await client.from('zw_change_requests').where('id', id).first()
  const [request] = row ? await withParts([row], client) : []
  return request ?? null
}

/** The requests of some rows, with their zones, actions and approvals. */
export async function withParts(
  rows: RequestRow[],
  client: QueryClientContract = db.connection()
): Promise<ChangeRequest[]> {
  const ids = rows.map(({ id }) => Number(id))
  const zones = await loadParts<ZonePart>(client, 'zones', ids, 'position')
  const actions = await loadParts<ActionPart>(client, 'actions', ids, 'position')
  const approvals = await loadParts<ApprovalPart>(client, 'approvals', ids, 'id')
  return rows.map((row) => ({
    id: Number(row.id),
    kind: row.kind,
    status: row.status,
    version: row.version,
    requester: { id: row.requester_id, username: row.requester_name },
    comment: row.request_comment,
    reviewer: reviewerOf(row),
    reviewComment: row.review_comment,
    createdAt: row.created_at,
    reviewedAt: row.reviewer_name === null ? null : row.reviewed_at,
    appliedAt: row.applied_at,
    applyAt: row.apply_at,
    cancelledAt: row.cancelled_at,
    error: row.error,
    stale: row.stale === null ? null : (JSON.parse(row.stale) as number[]),
    zones: (zones.get(Number(row.id)) ?? []).map(requestZoneFromRow),
    actions: (actions.get(Number(row.id)) ?? []).map(requestActionFromRow),
    approvals: (approvals.get(Number(row.id)) ?? []).map((one) => ({
      id: one.user_id,
      username: one.username,
      comment: one.comment,
      createdAt: one.created_at,
    })),
  }))
}

/** Number of actions by request; requests without actions are absent. */
export async function actionCounts(ids: number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const part of chunks(ids)) {
    const rows: { request_id: number; actions: number | string }[] = await db
      .from('zw_change_request_actions')
      .whereIn('request_id', part)
      .groupBy('request_id')
      .select('request_id')
      .count('* as actions')
    rows.forEach(({ request_id: id, actions }) => counts.set(Number(id), Number(actions)))
  }
  return counts
}

interface Part {
  request_id: number
}
interface ZonePart extends Part {
  zone_id: number
  zone_uid: string
  zone_name: string
  base_serial: number | string | null
  terms: string
}
interface ActionPart extends Part {
  zone: number
  wish: string
  base: string
}
interface ApprovalPart extends Part {
  user_id: number
  username: string
  comment: string | null
  created_at: string
}

async function loadParts<Row extends Part>(
  client: QueryClientContract,
  table: string,
  ids: number[],
  order: string
): Promise<Map<number, Row[]>> {
  const found: Row[] = []
  for (const part of chunks(ids)) {
    const rows: Row[] = await client
      .from(`zw_change_request_${table}`)
      .whereIn('request_id', part)
      .orderBy('request_id')
      .orderBy(order)
    // A spread into `push` would exceed the limit of call arguments.
    for (const row of rows) found.push(row)
  }
  return Map.groupBy(found, ({ request_id: id }) => Number(id))
}

function reviewerOf({ reviewer_id: id, reviewer_name: username }: RequestRow): RecordedUser | null {
  return username === null ? null : { id, username }
}

function requestZoneFromRow(row: ZonePart): RequestZone {
  return {
    id: row.zone_id,
    uid: row.zone_uid,
    name: row.zone_name,
    baseSerial: row.base_serial === null ? null : Number(row.base_serial),
    terms: JSON.parse(row.terms),
  }
}

function requestActionFromRow({ zone, wish, base }: ActionPart): RequestAction {
  return { zone, requestedAction: JSON.parse(wish), ...JSON.parse(base) }
}
