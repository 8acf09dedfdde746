import type { TemplateDifference } from '#dns/templates/drift'
import { InvalidDns } from '#dns/errors'
import { changeDetail, plannedZone, stateItem } from '#transformers/plan'
import type { DriftReport, SyncOutcome } from '#zones/templates/template_sync'

/** The difference between a zone and its template. */
export function driftItem(report: DriftReport) {
  const { zone, syncedAt } = report
  const head = { zone_id: zone.id, zone_name: zone.name, synced_at: syncedAt }
  return 'refusal' in report
    ? { ...head, state: 'refused', message: report.refusal.message, differences: [] }
    : { ...head, state: stateOf(report.differences), differences: differenceItems(report) }
}

/** The result of a sync in one zone. Zone content is left out for zones not in `visible`. */
export function syncItem(outcome: SyncOutcome, visible: ReadonlySet<number>) {
  if ('refusal' in outcome) {
    const { zoneId, refusal } = outcome
    return { zone_id: zoneId, status: statusOf(outcome), message: refusal.message }
  }
  if ('filed' in outcome) {
    return { zone_id: outcome.zoneId, status: 202, message: 'Change request filed for review.' }
  }
  const { zone, localDifferences: left } = outcome
  const isVisible = visible.has(zone.id)
  const localChanges = isVisible ? { kept: differenceItems({ differences: left }) } : {}
  const head = { zone_id: zone.id, zone_name: zone.name, status: 200 }
  if ('plan' in outcome) {
    return {
      ...head,
      message: 'Planned only, nothing was changed',
      ...plannedZone(outcome.plan.zones[0]),
      plan_hash: outcome.plan.hash,
      ...localChanges,
    }
  }
  const { applied } = outcome
  if (!applied || applied.entry === null) {
    return {
      ...head,
      message: 'The zone is in sync with the template',
      entry: null,
      changes: [],
      ...localChanges,
    }
  }
  const [changed] = changeDetail([applied], visible).zones
  return {
    ...head,
    message: 'The zone was synchronised with the template',
    ...changed,
    ...localChanges,
  }
}

/** 'differs' if the template has changes for the zone, 'changed' if only the zone was changed. */
function stateOf(differences: TemplateDifference[]): 'in_sync' | 'differs' | 'changed' {
  if (differences.length === 0) {
    return 'in_sync'
  }
  return differences.every(({ cause }) => cause === 'zone') ? 'changed' : 'differs'
}

function differenceItems({ differences }: { differences: TemplateDifference[] }) {
  return differences.map(({ name, type, cause, template, zone, after }) => ({
    name,
    type,
    cause,
    template: template && stateItem(template),
    zone: zone && stateItem(zone),
    keep: after.keep && stateItem(after.keep),
    overwrite: after.overwrite && stateItem(after.overwrite),
  }))
}

function statusOf({ refusal }: Extract<SyncOutcome, { refusal: unknown }>): number {
  return refusal instanceof InvalidDns ? 400 : refusal.status
}
