import {
  flag,
  list,
  timestamp,
  named,
  nullSchema,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
} from '#openapi/schema'
import { REQUEST_STATUSES } from '#changes/model/change_request'

const TIME = text('2026-03-01 09:00:00', 'In the time zone of the server.')

const record = object({
  name: text('www.alpha.example', 'Absolute.'),
  type: text('A'),
  content: text('192.0.2.10'),
  ttl: wholeNumberSchema(300, 'Seconds.'),
  prio: wholeNumberSchema(0),
  disabled: wholeNumberSchema(0, '1 if the record is disabled.'),
  comment: text(''),
})
const value = object({
  content: text('192.0.2.10'),
  priority: wholeNumberSchema(0),
  disabled: flag(false),
})
const state = object({ records: list(value) }, { ttl: wholeNumberSchema(300, 'Seconds.') })

const requestMembers = {
  id: wholeNumberSchema(12),
  zone_id: wholeNumberSchema(41),
  zone_name: text('alpha.example'),
  kind: word(['records', 'zone_delete']),
  status: word(REQUEST_STATUSES),
  requester: named('Somebody'),
  request_comment: orNull(text('ticket 12')),
  base_serial: orNull(text('2026030101', 'Serial of the zone when the baseline was stored.')),
  actions: list(named('RequestAction')),
  zone_comment: nullSchema(),
  reviewer: orNull(named('Somebody')),
  review_comment: orNull(text('ok')),
  created_at: TIME,
  reviewed_at: orNull(TIME),
  applied_at: orNull(TIME),
  error: orNull(text('The zone is read-only. Nothing was applied.')),
  approvals: list(
    object({ user: named('Somebody'), comment: orNull(text('ok')), created_at: TIME })
  ),
  apply_at: orNull(timestamp('Time at which the request is applied. `null` means immediately.')),
}
const zones = { zones: list(object({ id: wholeNumberSchema(41), name: text('alpha.example') })) }

/** Change requests, and the members that only reviewers get. */
export const REVIEW_OBJECTS = {
  Somebody: object({ id: orNull(wholeNumberSchema(7)), username: text('carol') }),

  RequestAction: object(
    { op: word(['add', 'edit', 'delete', 'zone_delete', 'set', 'remove', 'clear']) },
    {
      record_id: named('RecordId'),
      zone_id: wholeNumberSchema(41, 'Present in requests for several zones.'),
      name: text('www.alpha.example'),
      type: text('A'),
      ttl: wholeNumberSchema(300, 'Seconds.'),
      records: list(value),
      before: { anyOf: [record, state, nullSchema()] },
      after: record,
      done: flag(true, 'Whether the action was already in effect when the baseline was stored.'),
    }
  ),

  ChangeRequest: object(requestMembers, zones),

  ReviewedRequest: object(
    {
      ...requestMembers,
      plan: orNull(named('Plan')),
      effects: orNull(
        list(
          object({
            name: text('www.alpha.example'),
            type: text('A'),
            kind: word(['appears', 'disappears', 'changes', 'retimed']),
            message: text('www.alpha.example no longer has an A record'),
          })
        )
      ),
      risk: orNull(
        object({
          level: word(['low', 'medium', 'high']),
          reasons: list(
            object({
              rule: text('wildcard'),
              level: word(['medium', 'high']),
              message: text('*.alpha.example A: wildcard that covers every name without records'),
            })
          ),
        })
      ),
      problem: orNull(text('Why it cannot be applied now')),
      approvals_needed: wholeNumberSchema(1),
      expires_at: orNull(timestamp()),
      comments: list(named('RequestComment')),
    },
    zones
  ),

  RequestComment: object({
    id: wholeNumberSchema(3),
    user: named('Somebody'),
    action: orNull(wholeNumberSchema(0, 'Index of the action that the comment is about.')),
    text: text('why?'),
    created_at: TIME,
  }),
}
