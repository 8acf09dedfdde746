import vine from '@vinejs/vine'
import { flag, wholeNumber, writeMembers } from '#validators/fields'

/** Above the length of any private key. */
const MAX_KEY_TEXT = 32_768

/** Body of POST /zones/{id}/dnssec. */
export const signValidator = vine.create({
  enabled: flag(),
  algorithm: vine.string().optional(),
  ...writeMembers(),
})

/** Body of POST /zones/{id}/dnssec/keys. */
export const addKeyValidator = vine.create({
  type: vine.string(),
  algorithm: vine.string(),
  bits: wholeNumber({ min: 1, max: 65_536 }),
  active: flag().optional(),
  ...writeMembers(),
})

/** Body of POST /zones/{id}/dnssec/keys/import. */
export const importKeyValidator = vine.create({
  type: vine.string(),
  privatekey: vine.string().maxLength(MAX_KEY_TEXT),
  active: flag().optional(),
  ...writeMembers(),
})

/** Body of PATCH /zones/{id}/dnssec/keys/{key_id}. */
export const changeKeyValidator = vine.create({ active: flag(), ...writeMembers() })
