import vine from '@vinejs/vine'
import { MAX_VALUES } from '#dns/metadata/metadata'
import { writeMembers } from '#validators/fields'

/** Body of PUT /zones/{id}/metadata/{kind}. */
export const metadataValidator = vine.create({
  values: vine.array(vine.string()).maxLength(MAX_VALUES),
  ...writeMembers(),
})
