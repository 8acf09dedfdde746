import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { holds, isSuperUser, type Actor } from '#access/actor'
import { approval } from '#access/approval'
import type { Permission } from '#access/permissions'
import { REVIEW_RIGHTS } from '#access/rules/review_rules'

/** A query of `zw_change_requests`. */
export type Rows = DatabaseQueryBuilderContract

/** Maximum of zones of pending requests that are compared with `approval.zone_approvers`. */
const MAX_ZONES = 2_000

/** Filters the requests that the actor filed. */
export function onlyFiledBy(rows: Rows, actor: Actor): Rows {
  return rows.where('zw_change_requests.requester_id', actor.userId ?? 0)
}

/**
 * Filters the requests that wait for a decision of the actor: of other authors, and not approved by
 * the actor.
 *
 * @param others as `zonesOfOthers` returns them
 */
export function onlyForReview(rows: Rows, actor: Actor, others: readonly string[]): Rows {
  const { userId } = actor
  rows.where((some) => {
    some.whereNull('zw_change_requests.requester_id')
    some.orWhereNot('zw_change_requests.requester_id', userId ?? 0)
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
  if (!mayReviewSome(actor)) {
    rows.whereRaw('1 = 0')
  }
  return others.length > 0
    ? rows.whereNotExists(zonesOfRow().whereIn('rz.zone_name', [...others]))
    : rows
}

/**
 * Zones of pending requests that only other users may approve by the setting
 * `approval.zone_approvers`.
 */
export async function zonesOfOthers(actor: Actor): Promise<string[]> {
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

function zonesOfRow(): Rows {
  return db
    .from('zw_change_request_zones as rz')
    .whereColumn('rz.request_id', 'zw_change_requests.id')
    .select(db.raw('1'))
}

/**
 * Filters the requests that the actor filed or may review; with an API key for zones, of these
 * zones.
 */
export function onlyVisible(rows: Rows, actor: Actor): Rows {
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

/** Whether the actor may review requests of some zones. */
export function mayReviewSome(actor: Actor): boolean {
  return (
    seesAll(actor) ||
    REVIEW_RIGHTS.every(({ own, others }) =>
      [...own, ...others].some((right) => holds(actor, right))
    )
  )
}

/** Filters the zones for which every right to review is given: for all zones, or by ownership. */
function reviewed(zone: Rows, actor: Actor): void {
  zone.whereRaw('1 = 1')
  for (const { own, others } of REVIEW_RIGHTS) {
    if (!others.some((right) => holds(actor, right))) {
      zone.whereExists(ownedBy(actor, own))
    }
  }
}

/** The zone of a request, if the actor owns it with one of the rights. */
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
