import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import { allow, decide, type Decision } from '#access/decision'
import { decideKeyAdministration, decideKeyAccessChange } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'
import { decideByPermission, grantsOf, refuseNonAdministrator } from '#access/grants'
import settings from '#config/permissions'

/** Facts about a user that decisions depend on. */
export interface UserFacts {
  id: number
  /** Whether the user's template, or that of a group, contains `user_is_ueberuser`. */
  isSuperUser: boolean
  /** Permissions from the user's template and groups; absent if not loaded. */
  permissions?: ReadonlySet<Permission>
}

/** Facts about a permission template that decisions depend on. */
export interface TemplateFacts {
  name: string
  permissions: ReadonlySet<Permission>
  /** Whether the actor gets rights from it, directly or through a group. */
  isUsedByActor: boolean
}

/** Members that users may not change on their own account. */
export type GuardedField = 'username' | 'active' | 'use_ldap'

/** Requests about users, groups and permission templates. */
export type AccountRequest =
  | { action: 'user.list' }
  | { action: 'user.view'; userId: number }
  | { action: 'user.create' }
  | { action: 'user.edit'; user: UserFacts }
  | { action: 'user.change_guarded'; user: UserFacts; field: GuardedField }
  | { action: 'user.set_password'; user: UserFacts }
  /** Password reset links are sent to this address. */
  | { action: 'user.set_email'; user: UserFacts }
  | { action: 'user.delete'; user: UserFacts }
  /** `user` is null for a new user. */
  | { action: 'user.assign_template'; user: UserFacts | null; template: ReadonlySet<Permission> }
  | { action: 'user.set_groups' }
  /** View and end sessions of others, view and remove their second factors. */
  | { action: 'user.manage_sign_in' }
  /** Lists the actor's groups; the list itself restricts the result. */
  | { action: 'group.list' }
  | { action: 'group.view'; groupId: number }
  | { action: 'group.view_members' }
  /** View all groups, assign zones to them, and delete them. */
  | { action: 'group.manage' }
  /** Create groups, and change their permission template and members. */
  | { action: 'group.edit' }
  | { action: 'permission.view' }
  | { action: 'template.view' }
  /** `grants`: permissions of the new template. */
  | { action: 'template.create'; grants: ReadonlySet<Permission> }
  | { action: 'template.edit'; template: TemplateFacts; grants: ReadonlySet<Permission> }
  | { action: 'template.delete'; template: TemplateFacts }

/**
 * Actions that change who can sign in, how, or with which rights. Restricted API keys may not
 * perform them.
 */
const ACCESS_CHANGING_ACTIONS: ReadonlySet<AccountRequest['action']> = new Set([
  'user.create',
  'user.change_guarded',
  'user.set_password',
  'user.set_email',
  'user.assign_template',
  'user.set_groups',
  'user.manage_sign_in',
  'group.edit',
  'template.edit',
])

/**
 * Returns whether the request can grant rights or a way to sign in. Removing rights of another user
 * does not count.
 */
function canGrantAccess(actor: Actor, request: AccountRequest): boolean {
  if (request.action === 'user.assign_template' && request.template.size === 0) {
    return request.user !== null && isSelf(actor, request.user.id)
  }
  return ACCESS_CHANGING_ACTIONS.has(request.action)
}

const ADMINISTRATORS_PROTECTED = 'Only administrators can edit or delete an administrator'

/** Decides about users, groups and permission templates. Administrators may perform all actions. */
export function actOnAccounts(actor: Actor, request: AccountRequest): Decision {
  const isOwnAccount = request.action === 'user.view' && isSelf(actor, request.userId)
  const keyDecision = decideKeyAdministration(actor)
  if (!keyDecision.allowed && !isOwnAccount) {
    return keyDecision
  }
  const keyAccessDecision = decideKeyAccessChange(actor)
  if (!keyAccessDecision.allowed && canGrantAccess(actor, request)) {
    return keyAccessDecision
  }
  if (isSuperUser(actor)) {
    return allow(grantsOf(actor, ['user_is_ueberuser']))
  }
  switch (request.action) {
    case 'user.list':
      return decideByPermission(actor, 'user_view_others', 'list users')
    case 'user.view':
      return isSelf(actor, request.userId)
        ? allowFrom('own account')
        : decideByPermission(actor, 'user_view_others', 'see other users')
    case 'user.create':
      return decideByPermission(actor, 'user_add_new', 'create users')
    case 'user.edit':
      return editUser(actor, request.user)
    case 'user.change_guarded':
      return changeGuarded(actor, request.user, request.field)
    case 'user.set_password':
      return setPassword(actor, request.user)
    case 'user.set_email':
      return decideSignInChange(actor, request.user, editUser(actor, request.user))
    case 'user.delete':
      return deleteUser(actor, request.user)
    case 'user.assign_template':
      return assignTemplate(actor, request.user, request.template)
    case 'user.set_groups':
      return refuseNonAdministrator('change the groups of users')
    case 'user.manage_sign_in':
      return refuseNonAdministrator('manage the sessions and second factors of other users')
    case 'group.list':
      return allowFrom('membership')
    case 'group.view':
      return actor.groups.some(({ id }) => id === request.groupId)
        ? allowFrom('membership')
        : decide(false, 'permission', 'You do not have permission to view this group', 'membership')
    case 'group.view_members':
      return refuseNonAdministrator('view the members of a group')
    case 'group.manage':
    case 'group.edit':
      return refuseNonAdministrator('manage groups')
    case 'permission.view':
      return decideByPermission(actor, 'templ_perm_edit', 'view permissions')
    case 'template.view':
      return decideByPermission(actor, 'templ_perm_edit', 'view permission templates')
    case 'template.create':
      return createTemplate(actor, request.grants)
    case 'template.edit':
      return editTemplate(actor, request.template, request.grants)
    case 'template.delete':
      return deleteTemplate(actor, request.template)
  }
}

function isSelf(actor: Actor, userId: number): boolean {
  return actor.userId === userId
}

function editUser(actor: Actor, user: UserFacts): Decision {
  if (user.isSuperUser) {
    return decide(false, 'administrator', ADMINISTRATORS_PROTECTED, 'user_is_ueberuser')
  }
  if (isSelf(actor, user.id) && hasPermission(actor, 'user_edit_own')) {
    return allowFrom('user_edit_own')
  }
  return decideByPermission(
    actor,
    'user_edit_others',
    isSelf(actor, user.id) ? 'edit your own account' : 'edit other users'
  )
}

function changeGuarded(actor: Actor, user: UserFacts, field: GuardedField): Decision {
  const editDecision = editUser(actor, user)
  return !editDecision.allowed || hasPermission(actor, 'user_edit_others')
    ? editDecision
    : decide(
        false,
        'own-account',
        `Changing ${field} on your own account requires user_edit_others or user_is_ueberuser`,
        'user_edit_others'
      )
}

function setPassword(actor: Actor, user: UserFacts): Decision {
  const editDecision = editUser(actor, user)
  if (!editDecision.allowed || isSelf(actor, user.id)) {
    return editDecision
  }
  const permissionDecision = decideByPermission(
    actor,
    'user_passwd_edit_others',
    'set the passwords of other users'
  )
  return decideSignInChange(actor, user, permissionDecision)
}

const SIGN_IN_EXCEEDS_ACTOR =
  'To change the sign-in of a user, the caller must have all permissions of that user'

/**
 * Allows to control the sign-in of another user only if the actor has all permissions of that user.
 */
function decideSignInChange(
  actor: Actor,
  { id, permissions = new Set() }: UserFacts,
  permissionDecision: Decision
): Decision {
  if (!permissionDecision.allowed || isSelf(actor, id) || !settings.assign_only_held) {
    return permissionDecision
  }
  const missing = [...permissions].filter((permission) => !hasPermission(actor, permission))
  const message = `You cannot change the sign-in of a user who has permissions that you do not have: ${missing.join(', ')}`
  const decision =
    missing.length === 0 ? permissionDecision : decide(false, 'grant', message, missing.join(', '))
  const reason = {
    rule: 'grant',
    message: SIGN_IN_EXCEEDS_ACTOR,
    source: 'permissions.assign_only_held',
  }
  return { ...decision, reasons: [...decision.reasons, reason] }
}

function deleteUser(actor: Actor, user: UserFacts): Decision {
  if (isSelf(actor, user.id)) {
    return decide(false, 'own-account', 'You cannot delete your own account', 'own account')
  }
  return user.isSuperUser
    ? decide(false, 'administrator', ADMINISTRATORS_PROTECTED, 'user_is_ueberuser')
    : decideByPermission(actor, 'user_edit_others', 'delete users')
}

const TEMPLATE_EXCEEDS_ACTOR =
  'To assign a permission template, the caller must have all of its permissions'

function assignTemplate(
  actor: Actor,
  user: UserFacts | null,
  template: ReadonlySet<Permission>
): Decision {
  if (!hasPermission(actor, 'user_edit_templ_perm')) {
    return decideByPermission(actor, 'user_edit_templ_perm', 'assign permission templates')
  }
  if (user?.isSuperUser) {
    return decide(false, 'administrator', ADMINISTRATORS_PROTECTED, 'user_is_ueberuser')
  }
  if (template.has('user_is_ueberuser')) {
    return decide(
      false,
      'grant',
      'Only administrators can assign a permission template with user_is_ueberuser',
      'user_is_ueberuser'
    )
  }
  const isSelfAssignment = user !== null && isSelf(actor, user.id)
  const permissionDecision = isSelfAssignment
    ? decideByPermission(actor, 'user_edit_others', 'change your own permission template')
    : allowFrom('user_edit_templ_perm')
  return permissionDecision.allowed && settings.assign_only_held
    ? decideTemplateGrant(actor, template, permissionDecision)
    : permissionDecision
}

/** Allows a template only if the actor has all its permissions. */
function decideTemplateGrant(
  actor: Actor,
  template: ReadonlySet<Permission>,
  permissionDecision: Decision
): Decision {
  const decision = requireOwnPermissions(actor, [...template], permissionDecision)
  const reason = {
    rule: 'grant',
    message: TEMPLATE_EXCEEDS_ACTOR,
    source: 'permissions.assign_only_held',
  }
  return { ...decision, reasons: [...decision.reasons, reason] }
}

function createTemplate(actor: Actor, grants: ReadonlySet<Permission>): Decision {
  const permissionDecision = decideByPermission(
    actor,
    'templ_perm_add',
    'create permission templates'
  )
  return permissionDecision.allowed
    ? requireOwnPermissions(actor, [...grants], permissionDecision)
    : permissionDecision
}

function editTemplate(
  actor: Actor,
  { permissions, isUsedByActor }: TemplateFacts,
  grants: ReadonlySet<Permission>
): Decision {
  const permissionDecision = decideByPermission(
    actor,
    'templ_perm_edit',
    'edit permission templates'
  )
  if (!permissionDecision.allowed) {
    return permissionDecision
  }
  if (permissions.has('user_is_ueberuser')) {
    return refuseNonAdministrator('edit a permission template with user_is_ueberuser')
  }
  const added = [...grants].filter((permission) => !permissions.has(permission))
  if (isUsedByActor && added.length > 0) {
    return decide(
      false,
      'grant',
      `You cannot add ${added.join(', ')} to a permission template that grants your own permissions`,
      added.join(', ')
    )
  }
  return requireOwnPermissions(actor, added, permissionDecision)
}

function deleteTemplate(actor: Actor, { permissions }: TemplateFacts): Decision {
  return permissions.has('user_is_ueberuser')
    ? refuseNonAdministrator('delete a permission template with user_is_ueberuser')
    : decideByPermission(actor, 'user_edit_templ_perm', 'delete permission templates')
}

/** Refuses added permissions that the actor does not have; else the decision stays. */
function requireOwnPermissions(actor: Actor, added: Permission[], decision: Decision): Decision {
  const missing = added.filter((permission) => !hasPermission(actor, permission))
  const message = `You cannot grant permissions that you do not have: ${missing.join(', ')}`
  return missing.length === 0 ? decision : decide(false, 'grant', message, missing.join(', '))
}

function allowFrom(source: string): Decision {
  return decide(true, 'permission', `Granted by ${source}`, source)
}
