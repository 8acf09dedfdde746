import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import { approval } from '#access/approval'
import type { Permission } from '#access/permissions'
import { REVIEW_RIGHTS } from '#access/rules/review_rules'

/** A query of `zw_change_requests`. */
export type RequestRowQuery = DatabaseQueryBuilderContract

/** Maximum of zones of pending requests that are compared with `approval.zone_approvers`. */
const MAX_ZONES = 2_000

/** Filters the requests that the actor filed. */
export function onlyFiledBy(rows: RequestRowQuery, actor: Actor): RequestRowQuery {
  return rows.where('zw_change_requests.requester_id', actor.userId ?? 0)
}

/**
 * Filters the requests that wait for a decision of the actor: of other authors, and not approved by
 * the actor.
 *
 * @param zonesForOthers as `findZonesForOthers` returns them
 */
export function onlyForReview(
  rows: RequestRowQuery,
  actor: Actor,
  zonesForOthers: readonly string[]
): RequestRowQuery {
  const { userId } = actor
  rows.where((condition) => {
    condition.whereNull('zw_change_requests.requester_id')
    condition.orWhereNot('zw_change_requests.requester_id', userId ?? 0)
  })
  if (approval.settings.approvals_needed > 1) {
    rows.whereNotExists(
      db
        .from('zw_change_request_approvals as ra')
        .whereColumn('ra.request_id', 'zw_change_requests.id')
        .where('ra.user_id', userId ?? 0)
        .select(db.raw('1'))
    )
  }
  if (!canReviewSome(actor)) {
    rows.whereRaw('1 = 0')
  }
  return zonesForOthers.length > 0
    ? rows.whereNotExists(selectRequestZones().whereIn('rz.zone_name', [...zonesForOthers]))
    : rows
}

/**
 * Zones of pending requests that only other users may approve by the setting
 * `approval.zone_approvers`.
 */
export async function findZonesForOthers(actor: Actor): Promise<string[]> {
  if (approval.settings.zone_approvers.length === 0 || isSuperUser(actor)) {
    return []
  }
  const rows: { zone_name: string }[] = await db
    .from('zw_change_request_zones as rz')
    .join('zw_change_requests as r', 'r.id', 'rz.request_id')
    .where('r.status', 'pending')
    .distinct('rz.zone_name')
    .limit(MAX_ZONES)
  return rows
    .map(({ zone_name: name }) => name)
    .filter((name) => approval.approversOf(name)?.includes(actor.username) === false)
}

function selectRequestZones(): RequestRowQuery {
  return db
    .from('zw_change_request_zones as rz')
    .whereColumn('rz.request_id', 'zw_change_requests.id')
    .select(db.raw('1'))
}

/**
 * Filters the requests that the actor filed or may review; with an API key for zones, of these
 * zones.
 */
export function onlyVisible(rows: RequestRowQuery, actor: Actor): RequestRowQuery {
  if (!canSeeAll(actor)) {
    rows.where((condition) => {
      condition.where('zw_change_requests.requester_id', actor.userId ?? 0)
      if (canReviewSome(actor)) {
        condition.orWhereNotExists(
          selectRequestZones().where((zone) =>
            zone.whereNot((reviewable) => onlyReviewable(reviewable, actor))
          )
        )
      }
    })
  }
  const keyZones = actor.key?.zones
  if (keyZones) {
    rows.whereNotExists(
      selectRequestZones().where((zone) =>
        zone
          .whereNotIn('rz.zone_id', [...keyZones.keys()])
          .orWhereNotIn('rz.zone_name', [...keyZones.values()])
      )
    )
  }
  return rows
}

function canSeeAll(actor: Actor): boolean {
  return (
    isSuperUser(actor) ||
    REVIEW_RIGHTS.every(({ others }) => others.some((right) => hasPermission(actor, right)))
  )
}

/** Whether the actor may review requests of some zones. */
export function canReviewSome(actor: Actor): boolean {
  return (
    canSeeAll(actor) ||
    REVIEW_RIGHTS.every(({ own, others }) =>
      [...own, ...others].some((right) => hasPermission(actor, right))
    )
  )
}

/** Filters the zones for which every right to review is given: for all zones, or by ownership. */
function onlyReviewable(zone: RequestRowQuery, actor: Actor): void {
  zone.whereRaw('1 = 1')
  for (const { own, others } of REVIEW_RIGHTS) {
    if (!others.some((right) => hasPermission(actor, right))) {
      zone.whereExists(onlyOwnedBy(actor, own))
    }
  }
}

/** The zone of a request, if the actor owns it with one of the rights. */
function onlyOwnedBy(actor: Actor, rights: Permission[]): RequestRowQuery {
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
    .where((condition) => {
      condition.whereExists(
        owners('zw_zone_owners').where('user_id', (isHolder ? actor.userId : null) ?? 0)
      )
      if (groups.length > 0) {
        condition.orWhereExists(owners('zw_zone_groups').whereIn('group_id', groups))
      }
    })
}
