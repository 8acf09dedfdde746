import { TEXT_FORMATS } from '#dns/paste/read_records'
import { MAX_VALUES } from '#dns/metadata/metadata'
import vine from '@vinejs/vine'
import { flag, rowNumber, textOrNumber, writeMembers } from '#validators/fields'

const text = () => vine.string().optional()

/** Maximum of groups of a new zone. */
const MAX_GROUPS = 50

/** Primaries: a comma-separated list, or a list of texts. */
const primaryList = () => vine.unionOfTypes([vine.string(), vine.array(vine.string())]).optional()

/** Limited, as it is part of every answer about the zone. */
const descriptionText = () => vine.string().maxLength(4096).optional()

/** PowerDNS stores 40 characters of the Basic Multilingual Plane. */
export const accountName = () =>
  vine
    .string()
    .maxLength(40)
    .regex(/^[^\p{C}\u{10000}-\u{10ffff}]*$/u)
    .optional()

/** Body of POST /zones. */
export const createZoneValidator = vine.create({
  name: text(),
  type: text(),
  master: primaryList(),
  masters: primaryList(),
  description: descriptionText(),
  account: accountName(),
  owner_user_id: rowNumber().nullable().optional(),
  group_ids: vine.array(rowNumber()).maxLength(MAX_GROUPS).optional(),
  soa_edit_api: text(),
  enable_dnssec: flag().optional(),
  template: textOrNumber().optional(),
  ...writeMembers(),
})

/** Body of POST /zones/{id}/clone. */
export const cloneZoneValidator = vine.create({
  name: text(),
  description: descriptionText(),
  owner_user_id: rowNumber().nullable().optional(),
  group_ids: vine.array(rowNumber()).maxLength(MAX_GROUPS).optional(),
  ...writeMembers(),
})

/** Body of PUT /zones/{id}. */
export const updateZoneValidator = vine.create({
  name: text(),
  type: text(),
  master: primaryList(),
  masters: primaryList(),
  description: descriptionText(),
  account: accountName(),
  ...writeMembers(),
})

/** Body of PUT /zones/{id}/metadata/{kind}. */
export const metadataValidator = vine.create({
  values: vine.array(vine.string()).maxLength(MAX_VALUES),
  ...writeMembers(),
})

/** Body of POST /zones/{id}/import, unless it is a zone file itself. */
export const importValidator = vine.create({
  zone_file: vine.string(),
  format: vine.enum(TEXT_FORMATS).optional(),
  mode: vine.enum(['merge', 'replace'] as const).optional(),
  plan_hash: vine.string().optional(),
  ...writeMembers(),
})
