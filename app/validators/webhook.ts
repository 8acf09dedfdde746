import vine from '@vinejs/vine'
import { flag, writeMembers } from '#validators/fields'

const name = () => vine.string().trim().minLength(1).maxLength(255)
const types = () => vine.array(vine.string()).maxLength(100)

/** Body of POST /webhooks. */
export const createWebhookValidator = vine.create({
  name: name(),
  url: vine.string(),
  types: types().optional(),
  enabled: flag().optional(),
  ...writeMembers(),
})

/** Body of PUT /webhooks/{id}. */
export const updateWebhookValidator = vine.create({
  name: name().optional(),
  url: vine.string().optional(),
  types: types().optional(),
  enabled: flag().optional(),
  ...writeMembers(),
})
