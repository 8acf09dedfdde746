import vine from '@vinejs/vine'
import {
  entryText,
  MAX_ACTIONS,
  MAX_RECORDS,
  recordItem,
  recordMembers,
  rowNumber,
  textOrNumber,
  ttlSeconds,
  writeMembers,
} from '#validators/fields'

const text = () => vine.string().optional()

/** Body of POST /zones/{id}/records/bulk; `action` decides which members are required. */
export const bulkValidator = vine.create({
  operations: vine
    .array(
      vine.object({
        action: entryText().minLength(1),
        id: textOrNumber().optional(),
        ...recordMembers(),
      })
    )
    .maxLength(MAX_ACTIONS),
  comment: vine.string().maxLength(1024).optional(),
  ...writeMembers(),
})

/** Body of PUT, POST and PATCH /zones/{id}/rrsets. */
export const replaceRRsetValidator = vine.create({
  name: vine.string().minLength(1),
  type: vine.string().minLength(1),
  ttl: ttlSeconds().optional(),
  records: vine.array(recordItem()).minLength(1).maxLength(MAX_RECORDS),
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
        records: vine.array(recordItem()).maxLength(MAX_RECORDS).optional(),
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
