import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Forms of zone templates. */
export const zoneTemplateForm = vine.create({
  name: text(1_024),
  description: text(4_096),
  is_global: text(8),
  from: text(16),
  tag: text(64),
})

/** Forms of records of a zone template. */
export const templateRecordForm = vine.create({
  name: text(1_024),
  type: text(32),
  content: text(100_000),
  ttl: text(16),
  priority: text(16),
  tag: text(64),
})

/** Forms of deletions. */
export const templateDeletionForm = vine.create({ sure: text(8), tag: text(64) })

/** Form of the zones that are linked to a template. */
export const templateZonesForm = vine.create({
  ids: vine.array(vine.string().maxLength(10)).maxLength(1_000).optional(),
  local_changes: text(16),
})
