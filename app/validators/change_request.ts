import vine from '@vinejs/vine'
import {
  entryText,
  flag,
  recordComment,
  recordPriority,
  textOrNumber,
  ttlSeconds,
  wholeNumber,
  writeMembers,
} from '#validators/fields'

const priority = () => recordPriority().optional()
const text = () => vine.string().optional()
/** A comment on a request or a decision. */
const comment = () => vine.string().maxLength(1024).optional()

const MAX_ACTIONS = 10_000
const MAX_RECORDS = 10_000
/** Maximal characters of a comment on a request. */
const MAX_TEXT = 4_096

/** Body of POST /zones/{id}/change-requests; `op` decides which members are required. */
export const fileRequestValidator = vine.create({
  actions: vine
    .array(
      vine.object({
        op: entryText().minLength(1),
        record_id: textOrNumber().optional(),
        record: vine
          .object({
            name: text(),
            type: text(),
            content: text(),
            ttl: ttlSeconds().optional(),
            priority: priority(),
            disabled: flag().optional(),
            comment: recordComment().optional(),
          })
          .optional(),
        name: text(),
        type: text(),
        ttl: ttlSeconds().optional(),
        records: vine
          .array(
            vine.object({
              content: entryText().optional(),
              priority: priority(),
              disabled: flag().optional(),
              comment: recordComment().optional(),
            })
          )
          .maxLength(MAX_RECORDS)
          .optional(),
      })
    )
    .minLength(1)
    .maxLength(MAX_ACTIONS),
  comment: comment(),
  apply_at: text(),
  ...writeMembers(),
})

/** Body of POST /change-requests/{id}/approve, /reject and /rebase. */
export const decisionValidator = vine.create({
  comment: comment(),
  plan_hash: text(),
  dry_run: flag().optional(),
})

/** Body of POST /change-requests/{id}/comments. */
export const requestCommentValidator = vine.create({
  text: vine.string().minLength(1).maxLength(MAX_TEXT),
  action: wholeNumber({ min: 0, max: MAX_ACTIONS }).optional(),
  dry_run: flag().optional(),
})
