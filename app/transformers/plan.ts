import type { ChangePlan, ZonePlan, AppliedZone } from '#changes/model/zone_plan'
import { mapYielding } from '#database/event_loop'
import { operationsOf } from '#dns/diff'
import { linesOfComment, commentChangeFinder } from '#dns/record_comments'
import { presentContent } from '#dns/records/registry'
import type { Violation } from '#dns/rules/violation'
import type { CommentChange, RRset, RRsetChange } from '#dns/types'

/** A plan: the change of each zone. */
export function planDetail({ hash, zones }: ChangePlan) {
  return { plan_hash: hash, zones: zones.map(plannedZone) }
}

/** As `planDetail`; yields to the event loop when due. */
export async function planDetailYielding({ hash, zones }: ChangePlan) {
  const planned: object[] = []
  for (const plan of zones) {
    const changes = await mapYielding(plan.changes, changeItem)
    planned.push({ ...plannedZone({ ...plan, changes: [] }), changes })
  }
  return { plan_hash: hash, zones: planned }
}

/** As `changeDetail`; yields to the event loop when due. */
export async function changeDetailYielding(zones: AppliedZone[], visible?: ReadonlySet<number>) {
  const applied: object[] = []
  for (const zone of zones) {
    const itemOf = visible?.has(zone.zone.id) === false ? changeHead : changeItem
    const changes = await mapYielding(zone.changes, itemOf)
    applied.push({ ...changeDetail([{ ...zone, changes: [] }], visible).zones[0], changes })
  }
  return { zones: applied }
}

/** The planned change of one zone. */
export function plannedZone(plan: ZonePlan) {
  return {
    zone_id: plan.zoneId,
    zone_name: plan.zoneName,
    serial_before: plan.serialBefore,
    serial_after: plan.serialAfter,
    review: plan.needsReview ? 'request' : 'direct',
    changes: plan.changes.map(changeItem),
    ...(plan.properties ? { properties: plan.properties } : {}),
    warnings: plan.warnings.map(warningItem),
  }
}

/**
 * An applied change set: the change of each zone. Zone content is left out for zones not in
 * `visible`; without it, none is.
 */
export function changeDetail(zones: AppliedZone[], visible?: ReadonlySet<number>) {
  const itemIn = (id: number) => (visible?.has(id) === false ? changeHead : changeItem)
  return {
    zones: zones.map(({ zone, entry, serialBefore, serialAfter, changes, warnings }) => ({
      zone_id: zone.id,
      zone_name: zone.name,
      entry,
      serial_before: serialBefore,
      serial_after: serialAfter,
      changes: changes.map(itemIn(zone.id)),
      warnings: warnings.map(warningItem),
    })),
  }
}

/** The change of one RRset. */
export function changeItem(change: RRsetChange) {
  const { name, type, before, after, comments } = change
  return {
    name,
    type,
    before: before && stateItem(before, comments && { comments, side: 'before' }),
    after: after && stateItem(after, comments && { comments, side: 'after' }),
    operations: operationsOf(change),
  }
}

/** The change of one RRset without zone content. */
function changeHead(change: RRsetChange) {
  const { name, type } = change
  return { name, type, operations: operationsOf(change) }
}

/** An RRset without name and type; its records with their comments if these change. */
export function stateItem(
  { type, ttl, records }: RRset,
  commented?: { comments: CommentChange[]; side: 'before' | 'after' }
) {
  const commentOn = commentChangeFinder(type, commented?.comments)
  return {
    ttl,
    records: records.map(({ content, priority, disabled }) => {
      const comment = commented && commentOn({ content, priority })
      const item = { content: presentContent(type, content), priority, disabled }
      return comment ? { ...item, comment: linesOfComment(comment[commented.side]) } : item
    }),
  }
}

/** A violation that does not prevent the change. */
export function warningItem({ rule, name, type, message }: Violation) {
  return { rule, name, type, message }
}

/** The member `warnings` of an answer, if there are any. */
export function withWarnings(warnings: Violation[]) {
  return warnings.length > 0 ? { warnings: warnings.map(warningItem) } : {}
}
