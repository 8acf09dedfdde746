import vine from '@vinejs/vine'
import {
  entryText,
  flag,
  recordComment,
  recordPriority,
  rowNumber,
  textOrNumber,
  ttlSeconds,
  writeMembers,
} from '#validators/fields'

const priority = () => recordPriority().optional()
const text = () => vine.string().optional()

/** Above the size of any RRset in use, and small enough for memory. */
const MAX_RECORDS = 10_000
const MAX_ACTIONS = 10_000

/** Body of POST /zones/{id}/records/bulk; `action` decides which members are required. */
export const bulkValidator = vine.create({
  operations: vine
    .array(
      vine.object({
        action: entryText().minLength(1),
        id: textOrNumber().optional(),
        name: text(),
        type: text(),
        content: text(),
        ttl: ttlSeconds().optional(),
        priority: priority(),
        disabled: flag().optional(),
        comment: recordComment().optional(),
      })
    )
    .maxLength(MAX_ACTIONS),
  comment: vine.string().maxLength(1024).optional(),
  ...writeMembers(),
})

/** A record with its comment. */
const item = () =>
  vine.object({
    content: entryText().optional(),
    priority: priority(),
    disabled: flag().optional(),
    comment: recordComment().optional(),
  })

/** Body of PUT, POST and PATCH /zones/{id}/rrsets. */
export const replaceRRsetValidator = vine.create({
  name: vine.string().minLength(1),
  type: vine.string().minLength(1),
  ttl: ttlSeconds().optional(),
  records: vine.array(item()).minLength(1).maxLength(MAX_RECORDS),
  ...writeMembers(),
})

/** Body of POST /changes. */
export const changesValidator = vine.create({
  actions: vine
    .array(
      vine.object({
        op: vine.enum(['add', 'set', 'remove', 'clear'] as const),
        name: entryText().minLength(1),
        type: vine.string().minLength(1),
        ttl: ttlSeconds().optional(),
        records: vine.array(item()).maxLength(MAX_RECORDS).optional(),
        expect: vine.enum(['absent', 'present', 'any'] as const).optional(),
        if_match: text(),
        zone_id: rowNumber().optional(),
      })
    )
    .minLength(1)
    .maxLength(MAX_ACTIONS),
  plan_hash: text(),
  ...writeMembers(),
})
