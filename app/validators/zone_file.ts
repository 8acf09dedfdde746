import vine from '@vinejs/vine'
import { writeMembers } from '#validators/fields'

/** Body of POST /zones/{id}/import, where it is not the zone file itself. */
export const importValidator = vine.create({
  zone_file: vine.string(),
  mode: vine.enum(['merge', 'replace'] as const).optional(),
  plan_hash: vine.string().optional(),
  ...writeMembers(),
})
