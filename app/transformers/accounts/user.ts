import type { ListedUser, UserDetail } from '#accounts/users/directory'

/** A user in a list of the API. */
export function userItem(user: ListedUser, zoneCount: number) {
  return {
    ...members(user),
    zone_count: zoneCount,
    is_admin: user.isAdministrator,
    groups: user.groups,
  }
}

/** A user. The timestamps are null, as clients expect. */
export function userDetail(user: UserDetail) {
  return {
    ...members(user),
    is_admin: user.isAdministrator,
    permissions: user.permissions,
    groups: user.groups,
    created_at: null,
    updated_at: null,
  }
}

function members(user: ListedUser) {
  return {
    user_id: user.id,
    username: user.username,
    fullname: user.fullname,
    email: user.email ?? '',
    description: user.description,
    active: user.active,
    locked: user.isLocked,
    use_ldap: user.auth_method === 'ldap',
    perm_templ: user.permission_template_id,
    perm_templ_name: user.templateName,
  }
}
