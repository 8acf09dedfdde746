import vine from '@vinejs/vine'
import { MAX_TEMPLATE_RECORDS } from '#dns/templates/template_record'
import { flag, rowNumber, ttlSeconds, wholeNumber, writeMembers } from '#validators/fields'

const description = () => vine.string().maxLength(1024).optional()

/** Printable characters without a blank at either end, which databases compare differently. */
const templateName = () =>
  vine
    .string()
    .maxLength(128)
    .regex(/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u)
    .optional()

const templateMembers = () => ({
  name: templateName(),
  descr: description(),
  description: description(),
  is_global: flag().optional(),
  ...writeMembers(),
})

/** Body of PUT /zone-templates/{id}. `descr` and `description` are two names of one member. */
export const zoneTemplateValidator = vine.create(templateMembers())

const recordName = () => vine.string().minLength(1).maxLength(255)
const recordType = () => vine.string().minLength(1).maxLength(16)
const recordContent = () => vine.string().minLength(1)
const recordNumbers = () => ({
  ttl: ttlSeconds().optional(),
  priority: wholeNumber({ min: 0, max: 65_535 }).optional(),
})

/** Body of POST /zone-templates. */
export const newZoneTemplateValidator = vine.create({
  ...templateMembers(),
  records: vine
    .array(
      vine.object({
        name: recordName(),
        type: recordType(),
        content: recordContent(),
        ...recordNumbers(),
      })
    )
    .maxLength(MAX_TEMPLATE_RECORDS)
    .optional(),
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
  name: recordName().optional(),
  type: recordType().optional(),
  content: recordContent().optional(),
  ...recordNumbers(),
  ...writeMembers(),
})
