import vine from '@vinejs/vine'
import { accountName } from '#validators/zone'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Form that stores a list view. */
export const savedViewForm = vine.create({ name: text(200), query: text(4_000) })

/** Forms of bulk actions: selection, order and plan. */
export const bulkForm = vine.create({
  action: text(16),
  /** Selected zones of the page. */
  ids: vine.array(vine.string().maxLength(10)).maxLength(1_000).optional(),
  /** Selected zones of other pages, separated by commas. */
  more: text(200_000),
  /** All zones of the list. */
  all: text(8),
  q: text(1_024),
  tree: text(8),
  owner_kind: text(8),
  owner: text(255),
  owner_group: text(300),
  keeps_others: text(8),
  template: text(16),
  /** Used if there are too many templates for a selection. */
  template_name: text(255),
  local_changes: text(16),
  /** `no`: only zones with a link to the template. */
  link: text(8),
  /** The plan: `id:token`, separated by commas. */
  items: text(200_000),
  confirm: text(16),
  reason: text(1_024),
  /** Name of the stored run. */
  run: text(64),
  /** Form token; name of a new run. */
  once: text(64),
})

/** Form of new zones. */
export const newZonesForm = vine.create({
  names: text(100_000),
  kind: text(16),
  masters: text(2_000),
  template: text(16),
  /** Used if there are too many templates for a selection. */
  template_name: text(255),
  owner: text(255),
  groups: vine.array(vine.string().maxLength(10)).maxLength(50).optional(),
  group: text(300),
  sign: text(8),
  description: text(4_096),
})

/** Forms of the settings of a zone. */
export const zoneSettingsForm = vine.create({
  name: text(1_024),
  type: text(16),
  masters: text(2_000),
  account: accountName(),
  description: text(4_096),
  tag: text(64),
  reason: text(1_024),
})
export const zoneOwnerForm = vine.create({
  owner: text(255),
  /** Name or id. */
  group: text(300),
  user_id: text(16),
  group_id: text(16),
})
export const zoneDeletionForm = vine.create({
  sure: text(8),
  tag: text(64),
  reason: text(1_024),
})
