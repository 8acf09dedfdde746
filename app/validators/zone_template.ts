import vine from '@vinejs/vine'
import { flag, rowNumber, ttlSeconds, wholeNumber, writeMembers } from '#validators/fields'

const description = () => vine.string().maxLength(1024).optional()

/** Printable characters without a blank at either end, which databases compare differently. */
const templateName = () =>
  vine
    .string()
    .maxLength(128)
    .regex(/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u)
    .optional()

/** Body of POST and PUT /zone-templates. `descr` and `description` are two names of one member. */
export const zoneTemplateValidator = vine.create({
  name: templateName(),
  descr: description(),
  description: description(),
  is_global: flag().optional(),
  ...writeMembers(),
})

/** Maximum of zones in one request. */
const MAX_ZONES = 100

const zones = () => vine.array(rowNumber()).minLength(1).maxLength(MAX_ZONES)

/** Body of POST /zone-templates/{id}/sync. */
export const templateSyncValidator = vine.create({
  zones: zones(),
  local_changes: vine.enum(['keep', 'overwrite']).optional(),
  link: flag().optional(),
  ...writeMembers(),
})

/** Body of POST /zone-templates/{id}/unlink. */
export const templateUnlinkValidator = vine.create({ zones: zones(), ...writeMembers() })

/** Body of POST and PUT /zone-templates/{id}/records. */
export const zoneTemplateRecordValidator = vine.create({
  name: vine.string().minLength(1).maxLength(255).optional(),
  type: vine.string().minLength(1).maxLength(16).optional(),
  content: vine.string().minLength(1).optional(),
  ttl: ttlSeconds().optional(),
  priority: wholeNumber({ min: 0, max: 65_535 }).optional(),
  ...writeMembers(),
})
