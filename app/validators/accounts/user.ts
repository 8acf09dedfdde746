import vine from '@vinejs/vine'
import { closed } from '#validators/known_members'
import { flag, rowNumber, writeMembers } from '#validators/fields'

/** Maximum of groups of a new user. */
const MAX_GROUPS = 50
/** Maximum of zones with a new owner of their own in one deletion. */
const MAX_TRANSFERS = 1_000
const MAX_TEXT = 255
const MAX_DESCRIPTION = 1024

/** Members of a user in answers, which clients send back. */
const READ_ONLY_MEMBERS = [
  'user_id',
  'username',
  'fullname',
  'email',
  'description',
  'active',
  'locked',
  'use_ldap',
  'perm_templ',
  'perm_templ_name',
  'is_admin',
  'permissions',
  'groups',
  'zone_count',
  'created_at',
  'updated_at',
]

/** One line without control characters. */
const line = (longest: number) =>
  vine
    .string()
    .maxLength(longest)
    .regex(/^\P{Cc}*$/u)
    .optional()

const profile = () => ({
  fullname: line(MAX_TEXT),
  email: line(MAX_TEXT),
  description: vine.string().maxLength(MAX_DESCRIPTION).optional(),
  password: vine.string().optional(),
})

const isGroupReference = vine.createRule((value, _, field) => {
  if (typeof value !== 'string' && !Number.isInteger(value)) {
    field.report('must be the id (a whole number) or the name of a group', 'groupReference', field)
  }
})

/** Body of POST /users. */
export const createUserValidator = closed(
  vine.create({
    ...profile(),
    username: vine.string().optional(),
    active: flag().optional(),
    perm_templ: rowNumber().optional(),
    use_ldap: flag().optional(),
    groups: vine.array(vine.any().use(isGroupReference())).maxLength(MAX_GROUPS).optional(),
    ...writeMembers(),
  }),
  READ_ONLY_MEMBERS
)

/** Body of PUT /users/{id}. `null` of some members differs from their absence. */
export const updateUserValidator = closed(
  vine.create({
    ...profile(),
    username: vine.string().nullable().optional(),
    active: flag().nullable().optional(),
    perm_templ: rowNumber().nullable().optional(),
    use_ldap: flag().nullable().optional(),
    ...writeMembers(),
  }),
  READ_ONLY_MEMBERS
)

/** Body of PATCH /users/{id}. */
export const assignTemplateValidator = closed(
  vine.create({
    perm_templ: rowNumber().optional(),
    ...writeMembers(),
  }),
  READ_ONLY_MEMBERS
)

/** Body of DELETE /users/{id}; may be absent. */
export const deleteUserValidator = closed(
  vine.create({
    transfer_to_user_id: rowNumber().optional(),
    transfer_to_group_id: rowNumber().optional(),
    zone_transfers: vine
      .array(
        vine.object({
          zone_id: rowNumber(),
          user_id: rowNumber().optional(),
          group_id: rowNumber().optional(),
        })
      )
      .maxLength(MAX_TRANSFERS)
      .optional(),
    ...writeMembers(),
  })
)
