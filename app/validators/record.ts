import vine from '@vinejs/vine'
import { flag, recordComment, recordPriority, ttlSeconds, writeMembers } from '#validators/fields'

const priority = () => recordPriority().optional()

/** Body of POST /zones/{id}/records. */
export const createRecordValidator = vine.create({
  name: vine.string().minLength(1),
  type: vine.string().minLength(1),
  content: vine.string().minLength(1),
  ttl: ttlSeconds().optional(),
  priority: priority(),
  disabled: flag().optional(),
  comment: recordComment().optional(),
  create_ptr: flag().optional(),
  ...writeMembers(),
})

/** Body of PUT /zones/{id}/records/{recordId}: absent members stay. */
export const updateRecordValidator = vine.create({
  name: vine.string().minLength(1).optional(),
  type: vine.string().minLength(1).optional(),
  content: vine.string().optional(),
  ttl: ttlSeconds().optional(),
  priority: priority(),
  disabled: flag().optional(),
  comment: recordComment().optional(),
  update_ptr: flag().optional(),
  ...writeMembers(),
})
