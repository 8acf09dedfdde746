import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Above the length of any private key; as in the API. */
const MAX_KEY_TEXT = 32_768
/** 100 values of 4096 characters. */
const MAX_VALUES_TEXT = 420_000

/** Forms about the signing of a zone and its keys. */
export const signForm = vine.create({ algorithm: text(64) })
export const unsignForm = vine.create({ name: text(1_024), sure: text(8), reason: text(1_024) })
export const newKeyForm = vine.create({
  type: text(16),
  algorithm: text(64),
  bits: text(8),
  active: text(8),
  reason: text(1_024),
})
export const importKeyForm = vine.create({
  type: text(16),
  privatekey: text(MAX_KEY_TEXT),
  active: text(8),
  reason: text(1_024),
})
export const keyForm = vine.create({ sure: text(8), reason: text(1_024) })

/** Forms about the metadata of a zone. */
export const metadataForm = vine.create({
  kind: text(64),
  values: text(MAX_VALUES_TEXT),
  tag: text(64),
  reason: text(1_024),
})

/** Forms of autoprimaries: the new values and the key of the stored one. */
export const autoprimaryForm = vine.create({
  ip: text(255),
  nameserver: text(255),
  account: text(255),
  known_ip: text(255),
  known_nameserver: text(255),
  tag: text(64),
  sure: text(8),
})

/** Forms of repairs of inconsistencies: the selection and the plan. */
export const repairForm = vine.create({
  ids: vine.array(vine.string().maxLength(16)).maxLength(1_000).optional(),
  more: text(4_000),
  plan_hash: text(128),
  reason: text(1_024),
})
