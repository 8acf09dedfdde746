import type { Operations } from '#openapi/operation'
import { flag, list, named, object, text, whole } from '#openapi/schema'
import { REQUEST_DEFAULTS, REQUEST_LIST } from '#review/request_list'
import {
  decisionValidator,
  fileRequestValidator,
  requestCommentValidator,
} from '#validators/change_request'

const TAG = 'Change requests'
const REVIEWS =
  '`zone_change_approve_own` or `_others`, and to edit the zone; of requests of others than the caller'
const DECIDES =
  '`zone_change_approve_own` and `zone_content_edit_own` for own zones, `zone_change_approve_others` and `zone_content_edit_others` for all'

const decision = { validator: decisionValidator, example: { comment: 'ok' } }
const request = object({ change_request: named('ChangeRequest') })
const standing = { stale_actions: list(whole(0)), base_serial_mismatch: flag(false) }
const invalidActions = object(
  {},
  { errors: list(text("Action 1: Field 'op' must be one of add, edit")) }
)
const failed = object(
  {},
  {
    change_request: named('ChangeRequest'),
    stale_actions: list(whole(0)),
    plan: { anyOf: [named('Plan'), { type: 'null' }] },
    moved: list(named('RRsetName')),
  }
)

/** Changes that wait for a reviewer. */
export const REVIEW_OPERATIONS: Operations = {
  'POST /zones/{id}/change-requests': {
    tag: TAG,
    summary: 'File change requests',
    description:
      'Each `add` and `delete` of a record is a request of its own, all `edit` are one, and so are all actions on RRsets.',
    needs: '`zone_change_request_own` or `_others`, or to edit the zone',
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
      'Those that the caller filed or may review; pending ones where no `status` is given.',
    list: REQUEST_LIST,
    listDefaults: REQUEST_DEFAULTS,
    answers: { 200: object({ change_requests: list(named('ChangeRequest')) }) },
  },
  'GET /change-requests/{id}': {
    tag: TAG,
    summary: 'Show a change request, and what it would do now',
    needs: REVIEWS,
    answers: { 200: object({ change_request: named('ReviewedRequest'), ...standing }) },
  },
  'POST /change-requests/{id}/approve': {
    tag: TAG,
    summary: 'Approve a change request, and apply it',
    description: 'With a `plan_hash`: exactly that plan, or a 409 that decides nothing.',
    needs: DECIDES,
    body: decision,
    answers: { 200: request },
    refusals: { 502: 'The DNS server does not answer; the request is failed.' },
    refusalData: { 400: failed, 403: failed, 404: failed, 409: failed, 502: failed },
  },
  'POST /change-requests/{id}/reject': {
    tag: TAG,
    summary: 'Reject a change request',
    needs: DECIDES,
    body: decision,
    answers: { 200: request },
  },
  'POST /change-requests/{id}/rebase': {
    tag: TAG,
    summary: 'Base a change request on what is there now',
    needs: 'to have filed it, or to review it',
    answers: { 200: object({ change_request: named('ChangeRequest'), ...standing }) },
  },
  'POST /change-requests/{id}/comments': {
    tag: TAG,
    summary: 'Comment on a change request',
    needs: 'to have filed it, or to review it',
    body: { validator: requestCommentValidator, example: { text: 'why?', action: 0 } },
    answers: { 201: object({ comments: list(named('RequestComment')) }) },
  },
  'DELETE /change-requests/{id}': {
    tag: TAG,
    summary: 'Cancel a change request',
    needs: 'to have filed it',
    answers: { 200: request },
  },
}
