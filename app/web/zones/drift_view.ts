import type { DriftCause, TemplateDifference } from '#dns/templates/drift'
import { linesOfChange, type DiffLine } from '#web/plans/plan_view'
import { displayName, type DisplayName } from '#web/page/display_name'
import type { DriftReport } from '#zones/templates/template_sync'

/** Differences between a zone and its template, for display. */
export interface DriftView {
  id: number
  name: DisplayName
  /** `differs`: the template has something to bring; `changed`: only the zone was changed. */
  state: 'in_sync' | 'differs' | 'changed' | 'refused'
  /** Reason why the zone cannot be compared. */
  reason: string | null
  syncedAt: string
  differences: { name: string; type: string; cause: DriftCause; lines: DiffLine[] }[]
}

/** A zone of the report of a template. */
export function driftView(report: DriftReport): DriftView {
  const { zone, syncedAt } = report
  const head = { id: zone.id, name: displayName(zone.name), syncedAt }
  if ('refusal' in report) {
    return { ...head, state: 'refused', reason: report.refusal.message, differences: [] }
  }
  const { differences } = report
  const isOwn = differences.every(({ cause }) => cause === 'zone')
  return {
    ...head,
    state: differences.length === 0 ? 'in_sync' : isOwn ? 'changed' : 'differs',
    reason: null,
    differences: differences.map((one) => ({
      name: one.name,
      type: one.type,
      cause: one.cause,
      lines: linesOf(zone.name, one),
    })),
  }
}

/** Differences between the zone and its template. */
function linesOf(apex: string, { name, type, zone, template, after }: TemplateDifference) {
  const syncedSet = after.overwrite === zone ? template : after.overwrite
  return linesOfChange(apex, { name, type, before: zone, after: syncedSet })
}
