import type { HttpContext } from '@adonisjs/core/http'
import type { Conflict } from '#web/editor/draft_merge'
import type { DraftProblem, PlannedDraft } from '#web/editor/drafts'
import { conflictViews, reviewedZones, reviewItems } from '#web/editor/review_view'
import type { Draft } from '#web/editor/zone_draft'
import { zoneHead } from '#web/page/zone_tabs'
import type { OpenZone } from '#zones/directory'

/** State of the review page. */
export interface Review {
  draft: Draft
  /** Indexes of the planned changes; default: all. */
  picked?: number[]
  planned: PlannedDraft | null
  problem?: DraftProblem | null
  /** RRsets that another user changed, for a choice. */
  conflicts?: Conflict[]
  /** The draft differs from the submitted one. */
  isRebased?: boolean
  reason?: string
}

/** The page that asks to apply a plan, or its content only, for the dialog of the editor. */
export async function reviewPage(ctx: HttpContext, openedZone: OpenZone, review: Review) {
  const { draft, planned, problem = null, conflicts = [], isRebased = false, reason = '' } = review
  const { request, response, i18n } = ctx
  response.status(problem?.status ?? 200)
  const isFragment = request.header('x-fragment') === 'plan'
  if (isFragment) {
    // Error and sign-in pages lack this header, and are no content of a dialog.
    response.header('X-Fragment', 'plan')
  }
  const picked = new Set(review.picked ?? draft.keys())
  const items = reviewItems(i18n, draft, picked, problem?.change ?? null)
  const zones = await reviewedZones(openedZone.zone.name, planned, items)
  const changesNothing = zones.every(({ rrsets }) => rrsets === 0)
  const changes = JSON.stringify(draft)
  return ctx.view.render(isFragment ? 'partials/plans/plan' : 'pages/zones/records/plan', {
    zone: zoneHead(ctx.actor, openedZone, 'records'),
    hash: planned && !changesNothing ? planned.plan.hash : null,
    changesNothing: planned !== null && changesNothing,
    needsReview: zones.some((zone) => zone.needsReview),
    zones: conflicts.length > 0 ? [] : zones,
    isPicking: draft.length > 1,
    left: draft.length - picked.size,
    conflicts: conflictViews(conflicts),
    problem,
    reason,
    changes,
    rebased: isRebased ? changes : null,
  })
}
