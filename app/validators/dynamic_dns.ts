import vine from '@vinejs/vine'
import { flag, writeMembers } from '#validators/fields'

const MAX_LIST = 4096

/** Body of POST /dynamic-dns; which members are needed, the request says as a whole. */
export const dynamicDnsValidator = vine.create({
  hostname: vine.string().maxLength(1024).optional(),
  ipv4: vine.string().maxLength(MAX_LIST).optional(),
  ipv6: vine.string().maxLength(MAX_LIST).optional(),
  dualstack: flag().optional(),
  ...writeMembers(),
})
