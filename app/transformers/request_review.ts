import { approval } from '#access/approval'
import type { ChangeRequest } from '#changes/requests/change_request'
import { effectsOf } from '#dns/effects'
import { riskOf } from '#dns/risk'
import type { RequestStanding } from '#review/standing'
import { planDetail } from '#transformers/plan'

/** Effects that an answer tells; the plan has all changes. */
const MOST_EFFECTS = 1_000

/**
 * What a reviewer is shown of a request beside itself, as it would be applied now: the plan with before and after, the
 * names whose answers change, and how much it can break. null where it cannot be applied, and for who may not see the
 * zone.
 */
export function reviewDetail(
  { kind, createdAt, status }: ChangeRequest,
  standing: RequestStanding | null,
  seesZones: boolean
) {
  const plan = seesZones ? (standing?.plan ?? null) : null
  const isDeletion = kind === 'zone_delete'
  const effects = isDeletion
    ? []
    : (plan?.zones ?? []).flatMap(({ zoneName, changes }) => effectsOf(zoneName, changes))
  const days = approval.settings.expire_days
  return {
    plan: plan && planDetail(plan),
    effects: plan && effects.slice(0, MOST_EFFECTS),
    risk:
      plan &&
      riskOf(
        plan.zones.map(({ zoneName: apex, changes }) => ({
          apex,
          changes,
          isDeletion,
          isProtected: (name) => approval.protects(name),
        }))
      ),
    problem: seesZones ? (standing?.problem ?? null) : null,
    approvals_needed: approval.settings.approvals_needed,
    expires_at: status === 'pending' && days > 0 ? daysAfter(createdAt, days) : null,
  }
}

function daysAfter(moment: string, days: number): string {
  return new Date(Date.parse(moment) + days * 86_400_000).toISOString()
}
