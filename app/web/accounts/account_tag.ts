import { stateTag } from '#exceptions/state_tag'

/** What forms of users, groups and permission templates change. */
const IS_SHOWN = new Set([
  'username',
  'fullname',
  'email',
  'description',
  'permission_template_id',
  'active',
  'auth_method',
  'name',
  'template_type',
  'permissions',
  'members',
  'zones',
])

/** Of what forms show of a user, a group or a permission template: another one once any of it changed. */
export function accountTag(stored: object): string {
  const members = Object.entries(stored)
    .filter(([name, value]) => IS_SHOWN.has(name) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return stateTag(members)
}
