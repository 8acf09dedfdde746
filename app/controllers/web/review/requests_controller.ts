import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { appliedResult } from '#changes/model/outcome'
import { intentOf } from '#changes/model/intent'
import { StalePlan } from '#changes/planning/plan_store'
import { approve, type Approval } from '#review/approve'
import { addComment, cancel, demandReviewer, reject } from '#review/decide'
import { AlreadyDecided, OrphanedRequest, RequestFailed } from '#review/errors'
import { requireReviewEnabled, openRequest, type OpenRequest } from '#review/open_request'
import { rebase } from '#review/rebase'
import {
  countWaiting,
  listRequests,
  REQUEST_LIST,
  loadSummaries,
  type RequestScope,
} from '#review/request_list'
import { canReviewSome } from '#review/visibility'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { requestPage, requestTag } from '#controllers/web/review/request_page'
import { requestCommentForm, requestDecisionForm } from '#validators/web/review'
import { isScheduled, REQUEST_STATUSES } from '#changes/model/change_request'
import { addressWith, pagerOf, pageQuery } from '#web/page/list_page'
import { submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { displayName } from '#web/page/display_name'

const SCOPES: readonly RequestScope[] = ['review', 'own', 'all']

/** Zones that a line of the list names. */
const MAX_NAMED_ZONES = 3

/** /requests: change requests and their decisions. */
@inject()
export default class RequestsController {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  async index(ctx: HttpContext) {
    requireReviewEnabled()
    const { actor } = ctx
    const scope = scopeOf(ctx, actor)
    const query = pageQuery(ctx, REQUEST_LIST)
    // Requests to review are pending; of own requests, all are listed.
    const byDefault = scope === 'own' ? 'all' : 'pending'
    const status = scope === 'review' ? 'pending' : (query.filters.status ?? byDefault)
    const filters = { ...query.filters, status }
    const { rows, total } = await listRequests(actor, { ...query, filters }, scope)
    const requests = await loadSummaries(rows)
    return ctx.view.render('pages/requests/index', {
      scope,
      status,
      zoneId: filters.zone_id ?? '',
      scopes: SCOPES.filter((one) => one !== 'review' || canReviewSome(actor)).map((one) => ({
        scope: one,
        href: addressWith(ctx, { view: one, status: null }),
        current: one === scope,
      })),
      waiting: await countWaiting(actor),
      statuses: ['all', ...REQUEST_STATUSES],
      requests: requests.map(({ row, zones, actions }) => ({
        id: Number(row.id),
        kind: row.kind,
        status: row.status,
        isScheduled: row.status === 'approved' && row.applied_at === null,
        isStale: row.status === 'pending' && (row.stale ?? '[]') !== '[]',
        isOwn: row.requester_id !== null && row.requester_id === actor.userId,
        requester: row.requester_name,
        createdAt: row.created_at,
        comment: row.request_comment,
        reviewer: row.reviewer_name,
        actions,
        zones: zones.slice(0, MAX_NAMED_ZONES).map(({ name }) => displayName(name)),
        more: Math.max(0, zones.length - MAX_NAMED_ZONES),
      })),
      pager: pagerOf(ctx, query.page, total ?? rows.length, rows.length),
    })
  }

  async show(ctx: HttpContext) {
    return this.#page(ctx, await this.#open(ctx))
  }

  async approve(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    demandReviewer(ctx.actor, openedRequest)
    const form = await ctx.request.validateUsing(requestDecisionForm)
    const comment = form.comment?.trim() || null
    // The applied plan is the reviewed one. A reviewer who may not view the plan approves the
    // request without it.
    const planHash = openedRequest.canViewZones ? (form.plan_hash ?? '') : null
    const intent = intentOf(ctx.actor, { reason: comment, planHash })
    const isUnreviewed = planHash === '' && openedRequest.request.status === 'pending'
    const unreviewedProblem = isUnreviewed
      ? { status: 422, message: ctx.i18n.t('requests.look_first') }
      : movedOf(ctx, openedRequest, form)
    if (unreviewedProblem) {
      return this.#page(ctx, openedRequest, { problem: unreviewedProblem, comment })
    }
    try {
      const approval = await appliedResult(approve(this.#backend, intent, openedRequest, comment))
      return back(ctx, openedRequest, approvalText(ctx, approval))
    } catch (error) {
      return this.#refusedPage(ctx, error, comment)
    }
  }

  async reject(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    demandReviewer(ctx.actor, openedRequest)
    const form = await ctx.request.validateUsing(requestDecisionForm)
    const comment = form.comment?.trim() ?? ''
    const problem =
      comment === ''
        ? { status: 422, message: ctx.i18n.t('requests.say_why') }
        : movedOf(ctx, openedRequest, form)
    if (problem) {
      return this.#page(ctx, openedRequest, { problem, comment })
    }
    return this.#decide(ctx, openedRequest, 'requests.told_rejected', () =>
      reject(intentOf(ctx.actor, { reason: comment }), openedRequest, comment)
    )
  }

  async rebase(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    const { zones } = openedRequest.request
    return this.#decide(ctx, openedRequest, 'requests.told_rebased', async () => {
      const rebased = await rebase(this.#backend, intentOf(ctx.actor), openedRequest)
      const isParted = rebased.zones.some(
        ({ terms }, index) => zones[index]?.terms.template && !terms.template
      )
      return isParted ? 'requests.told_rebased_unlinked' : undefined
    })
  }

  async cancel(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    return this.#decide(ctx, openedRequest, 'requests.told_cancelled', () =>
      cancel(intentOf(ctx.actor), openedRequest)
    )
  }

  async comment(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    const { text = '', action = '' } = await ctx.request.validateUsing(requestCommentForm)
    if (text.trim() === '') {
      const problem = { status: 422, message: ctx.i18n.t('requests.say_something') }
      return this.#page(ctx, openedRequest, { problem })
    }
    const about = /^\d+$/.test(action) ? Number(action) : null
    return this.#decide(ctx, openedRequest, 'requests.told_comment', () =>
      submitOnce(ctx, (repeatId) =>
        addComment(intentOf(ctx.actor, { repeatId }), openedRequest, {
          text: text.trim(),
          action: about,
        })
      )
    )
  }

  #open(ctx: HttpContext): Promise<OpenRequest> {
    return openRequest(this.#backend, ctx.actor, Number(ctx.params.id))
  }

  /**
   * Runs a decision, and redirects to the request with the message `doneKey`, or the one that `work`
   * returns.
   */
  async #decide(
    ctx: HttpContext,
    openedRequest: OpenRequest,
    messageKey: string,
    work: () => Promise<unknown>
  ): Promise<unknown> {
    let text = messageKey
    try {
      const instead = await work()
      if (typeof instead === 'string') text = instead
    } catch (error) {
      return this.#refusedPage(ctx, error)
    }
    return back(ctx, openedRequest, ctx.i18n.t(text, { id: openedRequest.request.id }))
  }

  /** The current request with the reason of the refusal. */
  async #refusedPage(ctx: HttpContext, error: unknown, comment: string | null = null) {
    const openedRequest = await this.#open(ctx)
    const problem = requestProblem(ctx, error, openedRequest)
    return this.#page(ctx, openedRequest, { problem, comment })
  }

  #page(
    ctx: HttpContext,
    openedRequest: OpenRequest,
    more: { problem?: FormProblem; comment?: string | null } = {}
  ) {
    return requestPage(ctx, this.#backend, openedRequest, more)
  }
}

/** Message for a request that is decided already. */
function deciderOf(ctx: HttpContext, { request }: OpenRequest): string {
  if (request.status === 'cancelled') {
    return ctx.i18n.t('requests.cancelled_already')
  }
  const isOwn = request.reviewer?.id === ctx.actor.userId
  return ctx.i18n.t(isOwn ? 'requests.decided_already' : 'requests.decided')
}

function requestProblem(ctx: HttpContext, error: unknown, openedRequest: OpenRequest): FormProblem {
  if (error instanceof StalePlan) {
    return { status: 409, message: ctx.i18n.t('requests.moved') }
  }
  if (error instanceof AlreadyDecided) {
    return { status: 409, message: deciderOf(ctx, openedRequest) }
  }
  if (error instanceof OrphanedRequest) {
    const { username: name } = openedRequest.request.requester
    return { status: 409, message: ctx.i18n.t('requests.orphaned', { name }) }
  }
  if (error instanceof RequestFailed && error.staleActions.length > 0) {
    const count = error.staleActions.length
    return { status: 409, message: ctx.i18n.t('requests.failed_stale', { count }) }
  }
  if (error instanceof RequestFailed) {
    const status = error.status === 404 || error.status === 400 ? 409 : error.status
    return { status, message: ctx.i18n.t('requests.failed_because', { why: error.message }) }
  }
  return formProblem(ctx, error)
}

function scopeOf({ request }: HttpContext, actor: Actor): RequestScope {
  const asked: unknown = request.qs().view
  const knownScope = SCOPES.find((scope) => scope === asked)
  return knownScope ?? (canReviewSome(actor) ? 'review' : 'own')
}

/**
 * Error if the request has another baseline or step than the form, or the form has no version. The
 * decision itself requires this version and status (`applyTransition`).
 */
function movedOf(
  ctx: HttpContext,
  { request }: OpenRequest,
  { tag }: { tag?: string }
): FormProblem | null {
  // For a request that is decided already, the use case reports it.
  const isOver = request.status !== 'pending' && !isScheduled(request)
  return isOver || tag === requestTag(request)
    ? null
    : { status: 409, message: ctx.i18n.t('requests.moved') }
}

function approvalText({ i18n }: HttpContext, { request, waiting }: Approval): string {
  if (waiting) {
    return i18n.t('requests.told_waiting', { ...waiting, id: request.id })
  }
  const key = request.appliedAt === null ? 'requests.told_scheduled' : 'requests.told_approved'
  return i18n.t(key, { id: request.id })
}

function back(ctx: HttpContext, { request }: OpenRequest, text: string) {
  return goTo(ctx, `/requests/${request.id}`, text)
}
