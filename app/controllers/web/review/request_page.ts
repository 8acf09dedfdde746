import type { HttpContext } from '@adonisjs/core/http'
import { approval } from '#access/approval'
import { canViewMetadata } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { isScheduled, type ChangeRequest } from '#changes/model/change_request'
import { stateTag } from '#exceptions/state_tag'
import type { FormProblem } from '#web/forms/errors'
import type { RRset } from '#dns/types'
import { loadRequester } from '#review/approve'
import { readComments } from '#review/decide'
import type { OpenRequest } from '#review/open_request'
import { findRequestZoneIds, findRequestZones } from '#review/request_zones'
import { readRequestState } from '#review/current_state'
import { requestItem } from '#transformers/change_request'
import { riskText } from '#transformers/plan_words'
import { reviewedRisk, reviewTermsOf } from '#transformers/request_review'
import { denialsOf } from '#web/accounts/denial'
import { plannedView } from '#web/plans/planned'
import { actionViews } from '#web/admin/request_view'
import { displayName } from '#web/page/display_name'

/** Maximum of stale actions with their current state. */
const MAX_STALE = 20

/** Version of a request for a decision: it changes with the baseline and with each step. */
export function requestTag({ id, version, status }: OpenRequest['request']): string {
  return stateTag([id, version, status])
}

/** The page of a change request: its content, its current plan, and the possible decisions. */
export async function requestPage(
  ctx: HttpContext,
  backend: DnsBackend,
  openedRequest: OpenRequest,
  { problem = null, comment = '' }: { problem?: FormProblem | null; comment?: string | null } = {}
) {
  const { request, facts, isRequester, canViewZones } = openedRequest
  const { status } = request
  const isOpen = status === 'pending' || isScheduled(request)
  const currentState = isOpen ? await readRequestState(backend, request) : null
  const risk = reviewedRisk(request, currentState, canViewZones)
  const { approvals_needed: needed, expires_at: expiresAt } = reviewTermsOf(request)
  const stale = currentState?.stale ?? request.stale ?? []
  const withMetadata = facts.every((zone) => canViewMetadata(ctx.actor, zone))
  const plan =
    canViewZones && currentState?.plan ? await plannedView(currentState.plan, withMetadata) : null
  const ids = await findRequestZoneIds(request)
  const currentSets =
    currentState && canViewZones ? await staleSets(backend, request, stale) : undefined
  const asks = request.kind === 'zone_delete' ? 'zone.request_deletion' : 'zone.request_changes'
  const denials = denialsOf(ctx.actor, {
    review: facts.map((zone) => ({ action: 'zone.review' as const, zone })),
    ask: facts.map((zone) => ({ action: asks, zone })),
    cancel: { action: 'request.cancel', requesterId: request.requester.id },
  })
  const reviews = denials.review === null
  const isSelfReviewBarred = isRequester && approval.settings.separation_of_duties
  const hasApproved = request.approvals.some(({ id }) => id !== null && id === ctx.actor.userId)
  // The author of the request may not act any more; a request is applied with the rights of its
  // author.
  const isOrphaned = isOpen && (await loadRequester(request)) === null
  const canApply = !isOrphaned && (canViewZones ? plan !== null : currentState?.problem === null)
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/requests/show', {
    request: {
      ...request,
      isScheduled: isScheduled(request),
      zones: request.zones.map(({ name }, index) => ({
        id: ids[index],
        name: displayName(name),
        properties: canViewZones ? requestedProperties(request.zones[index].terms) : [],
      })),
    },
    tag: requestTag(request),
    seesZones: canViewZones,
    isRequester,
    plan,
    problem,
    standing: currentState && {
      problem: canViewZones ? currentState.problem : null,
      isUnknown: currentState.isUnknown,
      // The text of a changed serial says that the request is still applicable.
      isSerialMoved: currentState.hasSerialChanged && currentState.problem === null,
    },
    stale,
    risk: risk && {
      level: risk.level,
      reasons: risk.reasons.map((reason) => riskText(ctx.i18n, reason)),
    },
    needed,
    expiresAt,
    actions: actionViews(requestItem(request, canViewZones), stale, currentSets),
    actionCount: request.actions.length,
    comments: await readComments(request),
    comment: comment ?? '',
    denials: {
      ...denials,
      rebase: denials.review && (isRequester ? denials.ask : denials.review),
    },
    isOpen,
    isRebasable: ['pending', 'failed'].includes(status) && !isOrphaned && !ids.includes(null),
    mayApprove: reviews && status === 'pending' && !isSelfReviewBarred && !hasApproved && canApply,
    notes: {
      isOrphaned,
      selfApprovalBarred: reviews && status === 'pending' && isSelfReviewBarred,
      hasApproved: status === 'pending' && hasApproved,
    },
  })
}

/** Current RRsets of stale actions. */
async function staleSets(
  backend: DnsBackend,
  request: ChangeRequest,
  stale: readonly number[]
): Promise<Map<number, RRset | null>> {
  const zones = await findRequestZones(backend, request)
  const setsByAction = new Map<number, RRset | null>()
  for (const index of stale.slice(0, MAX_STALE)) {
    const { base, zone: position } = request.actions[index]
    const zone = zones[position]
    if (zone && 'name' in base) {
      const sets = await backend.rrsetsAt(zone, [base.name])
      setsByAction.set(
        index,
        sets.find(({ name, type }) => name === base.name && type === base.type) ?? null
      )
    }
  }
  return setsByAction
}

/** Requested properties of a zone. */
function requestedProperties({
  properties = {},
  template,
}: OpenRequest['request']['zones'][number]['terms']): string[] {
  const link = template ? { template: template.templateId } : {}
  return Object.entries({ ...properties, ...link })
    .filter(([name]) => name !== 'metadata')
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
}
