import vine from '@vinejs/vine'
import { TEXT_FORMATS } from '#dns/paste/read_records'
import { writeMembers } from '#validators/fields'

/** Body of POST /zones/{id}/import, unless it is a zone file itself. */
export const importValidator = vine.create({
  zone_file: vine.string(),
  format: vine.enum(TEXT_FORMATS).optional(),
  mode: vine.enum(['merge', 'replace'] as const).optional(),
  plan_hash: vine.string().optional(),
  ...writeMembers(),
})
