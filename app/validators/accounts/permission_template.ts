import vine from '@vinejs/vine'
import { closed } from '#validators/known_members'
import { rowNumber, writeMembers } from '#validators/fields'

/** Above the number of permissions. */
const MAX_PERMISSIONS = 1000

const description = () => vine.string().maxLength(1024).optional()

/**
 * Body of POST and PUT /permission-templates. `descr` and `description` are two names of one
 * member.
 */
export const permissionTemplateValidator = closed(
  vine.create({
    name: vine.string().optional(),
    descr: description(),
    description: description(),
    template_type: vine.enum(['user', 'group']).optional(),
    permissions: vine.array(rowNumber()).maxLength(MAX_PERMISSIONS).optional(),
    ...writeMembers(),
  }),
  ['id']
)
