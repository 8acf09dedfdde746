import vine from '@vinejs/vine'
import { onlyMembers } from '#validators/known_members'
import { flag, rowNumber, writeMembers } from '#validators/fields'

const MAX_LIST_CHARACTERS = 4096

/** Body of POST /dynamic-dns; the controller checks which members are required. */
export const dynamicDnsValidator = vine.create({
  hostname: vine.string().maxLength(1024).optional(),
  ipv4: vine.string().maxLength(MAX_LIST_CHARACTERS).optional(),
  ipv6: vine.string().maxLength(MAX_LIST_CHARACTERS).optional(),
  dualstack: flag().optional(),
  ...writeMembers(),
})

const MAX_NAMES = 20
const MAX_NETWORKS = 100

const hostTokenMembers = () => ({
  hostname: vine.string().maxLength(1024).optional(),
  hostnames: vine.array(vine.string().maxLength(1024)).maxLength(MAX_NAMES).optional(),
  txt: flag().optional(),
  name: vine.string().optional(),
  user_id: rowNumber().optional(),
  networks: vine.array(vine.string()).maxLength(MAX_NETWORKS).optional(),
  expires_at: vine.string().nullable().optional(),
  ...writeMembers(),
})

/** Body of POST /dynamic-dns/tokens; requires one of the first two members. */
export const hostTokenValidator = vine.create(hostTokenMembers())

/** Refuses a misspelt restriction of a token. */
export const tokenMembers = onlyMembers(Object.keys(hostTokenMembers()))
