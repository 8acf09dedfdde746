import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { setImmediate as turn } from 'node:timers/promises'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { Intent } from '#changes/model/intent'
import { outcomeOf } from '#changes/model/outcome'
import { parseApplyAt } from '#changes/requests/create'
import { isScheduled, type ChangeRequest } from '#changes/model/change_request'
import { filedActions } from '#controllers/api/review/change_request_body'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody, validItems } from '#controllers/support/request_body'
import { streamList } from '#controllers/support/streamed_list'
import { refuseConditions, writeTerms, type CommonMembers } from '#controllers/support/write_terms'
import { invalid, Refusal } from '#exceptions/refusal'
import { throwActionErrors } from '#review/action_error'
import { approve, type Approval } from '#review/approve'
import { addComment, cancel, readComments, demandReviewer, reject } from '#review/decide'
import { RequestFailed } from '#review/errors'
import { fileRequests } from '#review/file_requests'
import { requireReviewEnabled, openRequest, type OpenRequest } from '#review/open_request'
import { rebase } from '#review/rebase'
import { listRequests, REQUEST_LIST, requestBatches } from '#review/request_list'
import { findVisibleRequests } from '#review/visible_requests'
import { readRequestState } from '#review/current_state'
import { requestCommentItem, requestItem } from '#transformers/change_request'
import { reviewDetail } from '#transformers/request_review'
import { success } from '#transformers/envelope'
import {
  decisionValidator,
  fileRequestValidator,
  requestCommentValidator,
} from '#validators/change_request'
import { writeValidator } from '#validators/fields'
import { ZoneDirectory } from '#zones/directory'

/** /api/v2/change-requests and /api/v2/zones/{id}/change-requests */
@inject()
export default class ChangeRequestsController {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#backend = manager.use()
  }

  async index(ctx: HttpContext) {
    requireReviewEnabled()
    const query = listQueryOf(ctx, REQUEST_LIST)
    const { isCut, rows, ...listed } = await listRequests(ctx.actor, query)
    const page = query.page ?? { number: 1, size: 10_000, offset: 0 }
    const isPaged = query.page !== null || isCut
    return streamList(ctx, requestBatches(ctx.actor, rows), {
      member: 'change_requests',
      item: ({ request, isVisible }) => requestItem(request, isVisible),
      message: 'Change requests retrieved successfully',
      extras: isPaged ? pagedList(ctx, REQUEST_LIST, { ...query, page }, listed) : {},
    })
  }

  async store(ctx: HttpContext) {
    requireReviewEnabled()
    const openedZone = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    refuseConditions(
      ctx,
      ['If-Match', 'If-None-Match'],
      'a change request stores the state that it is based on'
    )
    const { body, indexes, errors } = await validItems(ctx, fileRequestValidator, 'actions')
    if (!body) {
      throwActionErrors(errors, true)
      throw invalid("Field 'actions' must have at least one valid action")
    }
    const { intent } = writeTerms(ctx, { ...body, reason: body.comment || body.reason })
    const filings = filedActions(openedZone.zone, body.actions, indexes, errors)
    const applyAt = parseApplyAt(body.apply_at)
    const outcome = await fileRequests(this.#backend, intent, openedZone, filings, {
      applyAt,
      errors,
    })
    return answerOutcome(ctx, outcome, async (requests) => {
      const visible = await findVisibleRequests(ctx.actor, requests)
      const items = requests.map((request) => requestItem(request, visible.has(request.id)))
      ctx.response.status(201)
      return success(
        { change_request: items[0], change_requests: items },
        items.length === 1
          ? 'Change request filed for review.'
          : `${items.length} change requests filed for review.`
      )
    })
  }

  async show(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    const { request, canViewZones } = openedRequest
    const isOpen = request.status === 'pending' || isScheduled(request)
    const currentState = isOpen ? await readRequestState(this.#backend, request) : null
    const comments = await readComments(request)
    // The planning took CPU time: other requests run before thousands of actions are serialised.
    await turn()
    return success(
      {
        change_request: {
          ...requestItem(request, canViewZones),
          ...reviewDetail(request, currentState, canViewZones),
          comments: comments.map(requestCommentItem),
        },
        stale_actions: currentState?.stale ?? request.stale ?? [],
        base_serial_mismatch: currentState?.hasSerialChanged ?? false,
      },
      'Change request retrieved successfully'
    )
  }

  async approve(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    demandReviewer(ctx.actor, openedRequest)
    const { intent, comment } = await decisionTerms(ctx)
    const outcome = await withRequest(
      openedRequest,
      approve(this.#backend, intent, openedRequest, comment)
    )
    return answerOutcome(ctx, outcome, (approval) =>
      success({ change_request: item(approval.request, openedRequest) }, messageOf(approval))
    )
  }

  async reject(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    demandReviewer(ctx.actor, openedRequest)
    const { intent, comment } = await decisionTerms(ctx)
    const outcome = await outcomeOf(() => reject(intent, openedRequest, comment))
    return answerOutcome(ctx, outcome, (request) =>
      success({ change_request: item(request, openedRequest) }, 'Change request rejected.')
    )
  }

  async rebase(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    const { intent } = await decisionTerms(ctx)
    const outcome = await outcomeOf(() => rebase(this.#backend, intent, openedRequest))
    return answerOutcome(ctx, outcome, (request) =>
      success(
        {
          change_request: item(request, openedRequest),
          stale_actions: [],
          base_serial_mismatch: false,
        },
        'Change request updated.'
      )
    )
  }

  async destroy(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    const intent = requestIntent(ctx, await optionalBody(ctx, writeValidator))
    const outcome = await outcomeOf(() => cancel(intent, openedRequest))
    return answerOutcome(ctx, outcome, (request) =>
      success({ change_request: item(request, openedRequest) }, 'Change request withdrawn.')
    )
  }

  async comment(ctx: HttpContext) {
    const openedRequest = await this.#open(ctx)
    const body = await validBody(ctx, requestCommentValidator)
    const intent = requestIntent(ctx, body)
    const outcome = await outcomeOf(() => addComment(intent, openedRequest, body))
    return answerOutcome(ctx, outcome, async () => {
      const comments = await readComments(openedRequest.request)
      ctx.response.status(201)
      return success({ comments: comments.map(requestCommentItem) }, 'Comment added successfully')
    })
  }

  #open(ctx: HttpContext): Promise<OpenRequest> {
    return openRequest(this.#backend, ctx.actor, Number(ctx.params.id))
  }
}

async function decisionTerms(
  ctx: HttpContext
): Promise<{ intent: Intent; comment: string | null }> {
  const {
    comment,
    plan_hash: planHash = null,
    ...body
  } = await optionalBody(ctx, decisionValidator)
  const intent = requestIntent(ctx, body)
  return { intent: { ...intent, planHash }, comment: comment || intent.reason }
}

/**
 * The intent of a step of a request. Throws 400 for preconditions: an approval is bound by its plan
 * hash.
 */
function requestIntent(ctx: HttpContext, body: CommonMembers): Intent {
  const instead = 'a change request has no entity tag; plan_hash approves exactly the viewed plan'
  refuseConditions(ctx, ['If-Match', 'If-None-Match'], instead)
  return writeTerms(ctx, body).intent
}

function item(request: ChangeRequest, { canViewZones }: OpenRequest) {
  return requestItem(request, canViewZones)
}

function messageOf({ request, waiting }: Approval): string {
  if (waiting) {
    return `Approval ${waiting.current} of ${waiting.needed} recorded.`
  }
  return request.appliedAt === null
    ? 'Change request approved; it will be applied at its scheduled time.'
    : 'Change request approved and applied.'
}

/** A failed request answers with its reason, and contains the request. */
async function withRequest<T>(openedRequest: OpenRequest, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error
    const data = {
      change_request: item(error.request, openedRequest),
      stale_actions: error.staleActions,
    }
    throw new Refusal(error.status, error.message, data)
  }
}
