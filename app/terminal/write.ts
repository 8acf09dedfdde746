import { maintainer } from '#access/actor'
import { intentOf, type Intent } from '#changes/model/intent'
import { appliedResult, type Outcome } from '#changes/model/outcome'
import type { ZonePlan, AppliedZone } from '#changes/model/zone_plan'
import { invalid } from '#exceptions/refusal'
import { printJson, printLines } from '#terminal/output'
import { paintFor } from '#terminal/paint'
import { planLines, type ShownChange } from '#terminal/plan_text'
import { changeDetail, planDetail } from '#transformers/plan'

/** How a command writes. */
export interface WriteFlags {
  /** Apply the change. Otherwise the plan is shown only. */
  apply?: boolean
  /** Stored in the journal. */
  reason?: string
  json?: boolean
}

/** Maximum characters of a reason in the journal. */
const LONGEST_REASON = 1024

/**
 * Plans a change of one zone as the maintainer, or carries it out with `apply`, and shows what becomes of
 * the zone: for people, or as the API answers.
 */
export async function planOrApply(
  { apply = false, reason, json = false }: WriteFlags,
  work: (intent: Intent) => Promise<Outcome<AppliedZone>>
): Promise<void> {
  if (reason !== undefined && reason.length > LONGEST_REASON) {
    throw invalid(`--reason must have at most ${LONGEST_REASON} characters, found ${reason.length}`)
  }
  const intent = intentOf(maintainer(), { reason: reason ?? null, dryRun: !apply })
  const outcome = await work(intent)
  if (outcome.kind === 'planned') {
    const { plan } = outcome
    await (json ? printJson({ plan: planDetail(plan) }) : showPlan(plan.zones[0]))
    return
  }
  const applied = await appliedResult(outcome)
  await (json ? printJson({ change: changeDetail([applied]) }) : showApplied(applied))
}

function showPlan(plan: ZonePlan): Promise<void> {
  const isNothing = plan.changes.length === 0 && !plan.properties
  const end = isNothing ? [] : ['Nothing has been changed yet. Use --apply to apply the changes.']
  return printLines([...linesOf(plan), ...propertyLines(plan), ...end])
}

function showApplied(applied: AppliedZone): Promise<void> {
  const { zone, entry } = applied
  const end = entry === null ? 'Nothing was changed.' : `Applied: entry ${entry} of the journal.`
  return printLines([...linesOf({ ...applied, zoneName: zone.name }), end])
}

function linesOf(shown: ShownChange): string[] {
  return planLines(shown, paintFor())
}

function propertyLines({ properties }: ZonePlan): string[] {
  const { before, after } = properties ?? {}
  return Object.entries(after ?? {}).map(([key, value]) => {
    const old = (before as Record<string, unknown> | null)?.[key]
    return `Property ${key}: ${JSON.stringify(old ?? null)} -> ${JSON.stringify(value)}`
  })
}
