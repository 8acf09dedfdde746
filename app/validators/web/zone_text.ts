import vine from '@vinejs/vine'
import { TEXT_FORMATS } from '#dns/paste/read_records'

const applyMembers = () => ({
  plan_hash: vine.string().maxLength(128).optional(),
  reason: vine.string().maxLength(1024).optional(),
})

/** Form of a zone as text. The use case limits the length. */
export const zoneTextForm = vine.create({
  base: vine.string().optional(),
  text: vine.string().optional(),
  ...applyMembers(),
})

/** Form of an import: a file, or pasted text. */
export const importForm = vine.create({
  file: vine.string().optional(),
  file_name: vine.string().maxLength(1024).optional(),
  text: vine.string().optional(),
  format: vine.enum(['auto', ...TEXT_FORMATS] as const).optional(),
  mode: vine.enum(['merge', 'replace'] as const).optional(),
  ...applyMembers(),
})

/** Form of a new zone from a file or from pasted text. */
export const newZoneFileForm = vine.create({
  file: vine.string().optional(),
  file_name: vine.string().maxLength(1024).optional(),
  text: vine.string().optional(),
  format: vine.enum(['auto', ...TEXT_FORMATS] as const).optional(),
  name: vine.string().maxLength(1024).optional(),
  kind: vine.string().maxLength(16).optional(),
  description: vine.string().maxLength(4096).optional(),
  owner: vine.string().maxLength(255).optional(),
  /** One id per line. */
  groups: vine.string().maxLength(550).optional(),
  group: vine.string().maxLength(300).optional(),
  ...applyMembers(),
})

/** Form of a clone. */
export const cloneForm = vine.create({
  name: vine.string().maxLength(1024).optional(),
  description: vine.string().maxLength(4096).optional(),
  owner: vine.string().maxLength(255).optional(),
  groups: vine.array(vine.string().maxLength(10)).maxLength(50).optional(),
  group: vine.string().maxLength(300).optional(),
})

/** Form of the PTR records to create. */
export const ptrForm = vine.create({
  network: vine.string().maxLength(100).optional(),
  /** One line per record. */
  take: vine.string().maxLength(3_000_000).optional(),
  ...applyMembers(),
})
