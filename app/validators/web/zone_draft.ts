import vine from '@vinejs/vine'
import { flag, recordComment } from '#validators/fields'

const MOST_CHANGES = 1_000

/** A number, or what was typed in place of one: which it is, is told with the record that it is of. */
function typedNumber() {
  return vine
    .string()
    .parse((value) => (typeof value === 'number' ? String(value) : value))
    .maxLength(64)
}

/** A record as the editor showed it, for telling what was changed; where its comment is to be another one, it must still be this. */
const shownRecord = vine.object({
  name: vine.string().maxLength(1024),
  type: vine.string().maxLength(32),
  content: vine.string().maxLength(70_000),
  ttl: vine.number(),
  priority: vine.number().nullable(),
  disabled: vine.boolean(),
  comment: recordComment().optional(),
})

/** Changes of records as the editor sends them. */
export const zoneDraft = vine.create({
  changes: vine
    .array(
      vine.object({
        /** How the browser calls the change; it gets that back. */
        key: vine.string().maxLength(600).optional(),
        action: vine.enum(['create', 'update', 'delete'] as const),
        id: vine.string().maxLength(512).optional(),
        tag: vine.string().maxLength(64).optional(),
        was: shownRecord.optional(),
        /** Entry of the zone's history after which others may have changed what is shown. */
        since: vine.number().withoutDecimals().min(0).optional(),
        name: vine.string().maxLength(1024).optional(),
        type: vine.string().maxLength(32).optional(),
        content: vine.string().maxLength(70_000).optional(),
        ttl: typedNumber().optional(),
        priority: typedNumber().optional(),
        disabled: flag().optional(),
        comment: recordComment().optional(),
        /** Whether its PTR record is wanted with it. */
        ptr: flag().optional(),
      })
    )
    .minLength(1)
    .maxLength(MOST_CHANGES),
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

/** A record that is being typed. */
export const typedRecord = vine.create({
  id: vine.string().maxLength(512).optional(),
  name: vine.string().maxLength(1024).optional(),
  type: vine.string().maxLength(32).optional(),
  content: vine.string().maxLength(70_000).optional(),
  ttl: vine.string().maxLength(32).optional(),
  priority: vine.string().maxLength(16).optional(),
})

/** Form of a plan that is to be applied, or to be looked at. */
export const planForm = vine.create({
  changes: vine.string().maxLength(3_000_000),
  plan_hash: vine.string().maxLength(128).optional(),
  reason: vine.string().maxLength(1024).optional(),
})
