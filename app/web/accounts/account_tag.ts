import { stateTag } from '#exceptions/state_tag'

/** Members that the forms of users, groups and permission templates can change. */
const TAGGED_MEMBERS = new Set([
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

/** Returns the tag of the members that forms of a user, a group or a permission template show. It changes with each of them. */
export function accountTag(account: object): string {
  const members = Object.entries(account)
    .filter(([name, value]) => TAGGED_MEMBERS.has(name) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return stateTag(members)
}
