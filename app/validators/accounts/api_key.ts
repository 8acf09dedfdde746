import vine from '@vinejs/vine'
import { onlyMembers } from '#validators/known_members'
import { flag, reference, rowNumber, wholeNumber, writeMembers } from '#validators/fields'

/** Limits of a key, which is checked with every request. */
const MAX_ZONES = 1000
const MAX_PATTERNS = 100
const MAX_NETWORKS = 100
const MAX_IDLE_DAYS = 3650

const scopeMembers = () => ({
  read_only: flag().optional(),
  operations: vine.array(vine.enum(['view', 'create', 'update', 'delete'] as const)).optional(),
  zones: vine.array(reference()).maxLength(MAX_ZONES).optional(),
  zone_restricted: flag().optional(),
  patterns: vine
    .array(
      vine.object({
        name: vine.string(),
        types: vine.array(vine.string()).maxLength(MAX_PATTERNS).optional(),
      })
    )
    .maxLength(MAX_PATTERNS)
    .optional(),
  pattern_restricted: flag().optional(),
  networks: vine.array(vine.string()).maxLength(MAX_NETWORKS).optional(),
  expires_at: vine.string().nullable().optional(),
  idle_days: wholeNumber({ min: 1, max: MAX_IDLE_DAYS }).nullable().optional(),
  enabled: flag().optional(),
  ...writeMembers(),
})

/** Members of a key in answers, besides those of its scope. */
const READ_ONLY_MEMBERS = [
  'id',
  'prefix',
  'owner',
  'last_used_at',
  'last_used_from',
  'created_at',
  'purpose',
]

/** Refuses a misspelt restriction: without it, the key would have more rights than intended. */
export const keyMembers = onlyMembers(
  ['name', 'user_id', ...Object.keys(scopeMembers()), ...READ_ONLY_MEMBERS],
  {
    patterns: ['name', 'types'],
    zones: ['id', 'name'],
  }
)

/** Body of POST /api-keys. */
export const createApiKeyValidator = vine.create({
  name: vine.string(),
  user_id: rowNumber().optional(),
  ...scopeMembers(),
})

/** Body of PUT /api-keys/{id}: absent members stay. */
export const updateApiKeyValidator = vine.create({
  name: vine.string().optional(),
  ...scopeMembers(),
})
