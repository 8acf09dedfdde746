import vine from '@vinejs/vine'
import { flag, recordComment } from '#validators/fields'

const MAX_CHANGES = 1_000

/** A number, or the text entered instead; the error is reported with its record. */
function typedNumber() {
  return vine
    .string()
    .parse((value) => (typeof value === 'number' ? String(value) : value))
    .maxLength(64)
}

/**
 * A record as the editor showed it, for the detection of changes. If its comment changes, this must
 * be the current one.
 */
const shownRecord = vine.object({
  name: vine.string().maxLength(1024),
  type: vine.string().maxLength(32),
  content: vine.string().maxLength(70_000),
  ttl: vine.number(),
  priority: vine.number().nullable(),
  disabled: vine.boolean(),
  comment: recordComment().optional(),
})

/** Changes of records in the format of the editor. */
export const zoneDraft = vine.create({
  changes: vine
    .array(
      vine.object({
        /** Id of the change in the browser; it is returned with the result. */
        key: vine.string().maxLength(600).optional(),
        action: vine.enum(['create', 'update', 'delete'] as const),
        id: vine.string().maxLength(512).optional(),
        tag: vine.string().maxLength(64).optional(),
        was: shownRecord.optional(),
        /** Journal entry of the shown state: later entries may have changed it. */
        since: vine.number().withoutDecimals().min(0).optional(),
        name: vine.string().maxLength(1024).optional(),
        type: vine.string().maxLength(32).optional(),
        content: vine.string().maxLength(70_000).optional(),
        ttl: typedNumber().optional(),
        priority: typedNumber().optional(),
        disabled: flag().optional(),
        comment: recordComment().optional(),
        /** Whether its PTR record is requested, too. */
        ptr: flag().optional(),
      })
    )
    .minLength(1)
    .maxLength(MAX_CHANGES),
})

/** Form of one record. */
export const recordForm = vine.create({
  name: vine.string().maxLength(1024).optional(),
  type: vine.string().maxLength(32).optional(),
  content: vine.string().maxLength(70_000).optional(),
  ttl: vine.string().maxLength(32).optional(),
  priority: vine.string().maxLength(16).optional(),
  disabled: vine.string().optional(),
  comment: recordComment().optional(),
  ptr: vine.string().optional(),
  tag: vine.string().maxLength(64).optional(),
  was: vine.string().maxLength(80_000).optional(),
  since: vine.string().maxLength(16).optional(),
})

/** A record that is being edited. */
export const typedRecord = vine.create({
  id: vine.string().maxLength(512).optional(),
  name: vine.string().maxLength(1024).optional(),
  type: vine.string().maxLength(32).optional(),
  content: vine.string().maxLength(70_000).optional(),
  ttl: vine.string().maxLength(32).optional(),
  priority: vine.string().maxLength(16).optional(),
})

/** Form of a plan to show or to apply. */
export const planForm = vine.create({
  changes: vine.string().maxLength(3_000_000),
  plan_hash: vine.string().maxLength(128).optional(),
  reason: vine.string().maxLength(1024).optional(),
})
