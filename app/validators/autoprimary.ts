import vine from '@vinejs/vine'
import { writeMembers } from '#validators/fields'

/** Maximal length of an address or a name. */
const text = () => vine.string().maxLength(255)

/** Body of POST /autoprimaries. */
export const createAutoprimaryValidator = vine.create({
  ip: text(),
  nameserver: text(),
  account: text().optional(),
  ...writeMembers(),
})

/** Body of PUT /autoprimaries/{ip}/{nameserver}. */
export const updateAutoprimaryValidator = vine.create({
  ip: text().optional(),
  nameserver: text().optional(),
  account: text().optional(),
  ...writeMembers(),
})
