import i18nManager from '@adonisjs/i18n/services/main'
import { approval } from '#access/approval'
import type { ChangeRequest } from '#changes/model/change_request'
import { effectsOf, type Effect } from '#dns/effects'
import { riskOf, type Risk, type RiskReason } from '#dns/risk'
import type { RequestState } from '#review/current_state'
import { effectText, riskText } from '#transformers/plan_words'
import { planDetail } from '#transformers/plan'

/** Maximum of effects in an answer; the plan has all changes. */
const MAX_EFFECTS = 1_000
/** The language of the API. */
const DEFAULT_LANGUAGE = 'en'

/**
 * The risk of a request as it would be applied now; null if it is not applicable, or if the caller
 * may not view its zones.
 */
export function reviewedRisk(
  { kind }: ChangeRequest,
  currentState: RequestState | null,
  seesZones: boolean
): Risk | null {
  const plan = seesZones ? currentState?.plan : null
  if (!plan) {
    return null
  }
  return riskOf(
    plan.zones.map(({ zoneName: apex, changes }) => ({
      apex,
      changes,
      isDeletion: kind === 'zone_delete',
      isProtected: (name) => approval.isProtected(name),
    }))
  )
}

/** Required approvals of a request, and its expiry; null without one. */
export function reviewTermsOf({ createdAt, status }: ChangeRequest) {
  const { expire_days: days, approvals_needed: needed } = approval.settings
  return {
    approvals_needed: needed,
    expires_at: status === 'pending' && days > 0 ? daysAfter(createdAt, days) : null,
  }
}

/**
 * Data for the review of a request as it would be applied now: plan, effects and risk. They are
 * null if it is not applicable, or if the caller may not view the zone.
 */
export function reviewDetail(
  request: ChangeRequest,
  currentState: RequestState | null,
  seesZones: boolean
) {
  const plan = seesZones ? (currentState?.plan ?? null) : null
  const effects =
    request.kind === 'zone_delete'
      ? []
      : (plan?.zones ?? []).flatMap(({ zoneName, changes }) => effectsOf(zoneName, changes))
  const risk = reviewedRisk(request, currentState, seesZones)
  return {
    plan: plan && planDetail(plan),
    effects: plan && effects.slice(0, MAX_EFFECTS).map(effectItem),
    risk: risk && { level: risk.level, reasons: risk.reasons.map(reasonItem) },
    problem: seesZones ? (currentState?.problem ?? null) : null,
    ...reviewTermsOf(request),
  }
}

function effectItem(effect: Effect) {
  const { name, type, kind } = effect
  return { name, type, kind, message: effectText(i18nManager.locale(DEFAULT_LANGUAGE), effect) }
}

function reasonItem(reason: RiskReason) {
  const { rule, level } = reason
  return { rule, level, message: riskText(i18nManager.locale(DEFAULT_LANGUAGE), reason) }
}

function daysAfter(time: string, days: number): string {
  return new Date(Date.parse(time) + days * 86_400_000).toISOString()
}
