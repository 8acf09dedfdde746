import vine from '@vinejs/vine'
import { closed } from '#validators/known_members'
import { flag, writeMembers } from '#validators/fields'

const name = () => vine.string().trim().minLength(1).maxLength(255)
const types = () => vine.array(vine.string()).maxLength(100)

/** Members of a webhook in answers, which clients send back. */
const READ_ONLY_MEMBERS = [
  'id',
  'waiting',
  'failures',
  'retry_at',
  'last_error',
  'created_at',
  'created_by',
]

/** Body of POST /webhooks. */
export const createWebhookValidator = closed(
  vine.create({
    name: name(),
    url: vine.string(),
    types: types().optional(),
    enabled: flag().optional(),
    ...writeMembers(),
  }),
  READ_ONLY_MEMBERS
)

/** Body of PUT /webhooks/{id}. */
export const updateWebhookValidator = closed(
  vine.create({
    name: name().optional(),
    url: vine.string().optional(),
    types: types().optional(),
    enabled: flag().optional(),
    ...writeMembers(),
  }),
  READ_ONLY_MEMBERS
)
