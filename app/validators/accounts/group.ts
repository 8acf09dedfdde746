import vine from '@vinejs/vine'
import { rowNumber, wholeNumber, writeMembers } from '#validators/fields'

const description = () => vine.string().maxLength(1024)

/** Id of a user or zone to assign; a later lookup checks whether it exists. */
const reference = () => wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })

/** Body of POST /groups. */
export const createGroupValidator = vine.create({
  name: vine.string(),
  description: description().optional(),
  perm_templ_id: rowNumber(),
  ...writeMembers(),
})

/** Body of PUT /groups/{id}. */
export const updateGroupValidator = vine.create({
  name: vine.string().optional(),
  description: description().optional(),
  perm_templ_id: rowNumber().optional(),
  ...writeMembers(),
})

/** Body of POST /groups/{id}/members. */
export const memberValidator = vine.create({
  user_id: reference().optional(),
  ...writeMembers(),
})

/** Body of POST /groups/{id}/zones. */
export const groupZoneValidator = vine.create({
  zone_id: reference().optional(),
  ...writeMembers(),
})

/** Maximum of new owners in one request. */
const MAX_OWNERS = 1000

/** Body of POST /zones/{id}/owners. */
export const zoneOwnerValidator = vine.create({
  user_id: reference().optional(),
  user_ids: vine.array(rowNumber()).minLength(1).maxLength(MAX_OWNERS).optional(),
  ...writeMembers(),
})
