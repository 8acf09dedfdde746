import vine from '@vinejs/vine'
import { flag, wholeNumber, writeMembers } from '#validators/fields'

/** Body of POST /zones/{id}/history/{entry}/undo; may be absent. */
export const undoValidator = vine.create({
  merge: flag().optional(),
  ...writeMembers(),
})

/** Body of POST /zones/{id}/restore. */
export const restoreValidator = vine.create({
  entry: wholeNumber({ min: 0, max: 2_147_483_647 }).optional(),
  time: vine.string().optional(),
  name: vine.string().minLength(1).optional(),
  type: vine.string().minLength(1).optional(),
  ...writeMembers(),
})

/** Body of requests with common members only; may be absent. */
export const termsValidator = vine.create(writeMembers())
