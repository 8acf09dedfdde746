import type { Operations } from '#openapi/operation'
import { flag, list, named, object, text, wholeNumberSchema } from '#openapi/schema'
import { DEFAULT_FILTERS, REQUEST_LIST } from '#review/request_list'
import {
  decisionValidator,
  fileRequestValidator,
  requestCommentValidator,
} from '#validators/change_request'

const TAG = 'Change requests'
const REVIEWS =
  '`zone_change_approve_own` or `_others` and the permission to edit the zone, for requests of other users'
const DECISION_RIGHTS =
  '`zone_change_approve_own` and `zone_content_edit_own` for own zones, `zone_change_approve_others` and `zone_content_edit_others` for all zones'

const decision = { validator: decisionValidator, example: { comment: 'ok' } }
const request = object({ change_request: named('ChangeRequest') })
const currentStateSchemas = {
  stale_actions: list(wholeNumberSchema(0)),
  base_serial_mismatch: flag(false),
}
const invalidActions = object(
  {},
  { errors: list(text("Action 1: Field 'op' must be one of add, edit")) }
)
const failed = object(
  {},
  {
    change_request: named('ChangeRequest'),
    stale_actions: list(wholeNumberSchema(0)),
    plan: { anyOf: [named('Plan'), { type: 'null' }] },
    moved: list(named('RRsetName')),
  }
)

/** Changes that wait for a reviewer. */
export const REVIEW_OPERATIONS: Operations = {
  'POST /zones/{id}/change-requests': {
    tag: TAG,
    summary: 'Submit change requests',
    description:
      'Each `add` and `delete` of a record becomes a separate request. All `edit` actions become one request. All actions on RRsets also become one request.',
    needs: '`zone_change_request_own` or `_others`, or the permission to edit the zone',
    body: {
      validator: fileRequestValidator,
      example: {
        comment: 'ticket 12',
        actions: [
          { op: 'add', record: { name: 'api', type: 'A', content: '192.0.2.77', ttl: 3600 } },
        ],
      },
    },
    answers: {
      201: object({
        change_request: named('ChangeRequest'),
        change_requests: list(named('ChangeRequest')),
      }),
    },
    refusalData: {
      400: invalidActions,
      403: invalidActions,
      404: invalidActions,
      409: invalidActions,
    },
  },
  'GET /change-requests': {
    tag: TAG,
    summary: 'List change requests',
    description:
      'Lists requests that the caller submitted or may review. Without `status`, the list has pending requests.',
    list: REQUEST_LIST,
    listDefaults: DEFAULT_FILTERS,
    answers: { 200: object({ change_requests: list(named('ChangeRequest')) }) },
  },
  'GET /change-requests/{id}': {
    tag: TAG,
    summary: 'Show a change request and its current plan',
    needs: REVIEWS,
    answers: { 200: object({ change_request: named('ReviewedRequest'), ...currentStateSchemas }) },
  },
  'POST /change-requests/{id}/approve': {
    tag: TAG,
    summary: 'Approve and apply a change request',
    description:
      'With a `plan_hash`, exactly that plan is applied. If the plan differs, the answer is 409 and nothing is decided.',
    needs: DECISION_RIGHTS,
    body: decision,
    answers: { 200: request },
    refusals: { 502: 'The DNS server does not answer. The request gets the status `failed`.' },
    refusalData: { 400: failed, 403: failed, 404: failed, 409: failed, 502: failed },
  },
  'POST /change-requests/{id}/reject': {
    tag: TAG,
    summary: 'Reject a change request',
    needs: DECISION_RIGHTS,
    body: decision,
    answers: { 200: request },
  },
  'POST /change-requests/{id}/rebase': {
    tag: TAG,
    summary: 'Update a change request to the current zone',
    needs: 'the caller to be the requester or a reviewer',
    answers: { 200: object({ change_request: named('ChangeRequest'), ...currentStateSchemas }) },
  },
  'POST /change-requests/{id}/comments': {
    tag: TAG,
    summary: 'Comment on a change request',
    needs: 'the caller to be the requester or a reviewer',
    body: { validator: requestCommentValidator, example: { text: 'why?', action: 0 } },
    answers: { 201: object({ comments: list(named('RequestComment')) }) },
  },
  'DELETE /change-requests/{id}': {
    tag: TAG,
    summary: 'Withdraw a change request',
    needs: 'the caller to be the requester',
    answers: { 200: request },
  },
}
