import { holds, isSuperUser, type Actor } from '#access/actor'
import { allow, decide, type Decision } from '#access/decision'
import { keyAdministers, keyChangesAccess } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'
import { grantsOf } from '#access/grants'
import settings from '#config/permissions'

/** Facts about a user that decisions depend on. */
export interface UserFacts {
  id: number
  /** Whether the user's template, or that of a group, contains `user_is_ueberuser`. */
  isSuperUser: boolean
  /** Permissions from the user's template and groups; absent if not loaded. */
  held?: ReadonlySet<Permission>
}

/** Facts about a permission template that decisions depend on. */
export interface TemplateFacts {
  name: string
  permissions: ReadonlySet<Permission>
  /** Whether the actor gets rights from it, directly or through a group. */
  isActors: boolean
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
const CHANGES_ACCESS: ReadonlySet<AccountRequest['action']> = new Set([
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
function changesAccess(actor: Actor, request: AccountRequest): boolean {
  if (request.action === 'user.assign_template' && request.template.size === 0) {
    return request.user !== null && isSelf(actor, request.user.id)
  }
  return CHANGES_ACCESS.has(request.action)
}

const NOT_THEIRS = 'Only administrators can edit or delete an administrator'

/** Decides about users, groups and permission templates. Administrators may perform all actions. */
export function actOnAccounts(actor: Actor, request: AccountRequest): Decision {
  const isOwnAccount = request.action === 'user.view' && isSelf(actor, request.userId)
  const reach = keyAdministers(actor)
  if (!reach.allowed && !isOwnAccount) {
    return reach
  }
  const access = keyChangesAccess(actor)
  if (!access.allowed && changesAccess(actor, request)) {
    return access
  }
  if (isSuperUser(actor)) {
    return allow(grantsOf(actor, ['user_is_ueberuser']))
  }
  switch (request.action) {
    case 'user.list':
      return byRight(actor, 'user_view_others', 'list users')
    case 'user.view':
      return isSelf(actor, request.userId)
        ? granted('own account')
        : byRight(actor, 'user_view_others', 'see other users')
    case 'user.create':
      return byRight(actor, 'user_add_new', 'create users')
    case 'user.edit':
      return editUser(actor, request.user)
    case 'user.change_guarded':
      return changeGuarded(actor, request.user, request.field)
    case 'user.set_password':
      return setPassword(actor, request.user)
    case 'user.set_email':
      return signInOf(actor, request.user, editUser(actor, request.user))
    case 'user.delete':
      return deleteUser(actor, request.user)
    case 'user.assign_template':
      return assignTemplate(actor, request.user, request.template)
    case 'user.set_groups':
      return administratorsOnly('change the groups of users')
    case 'user.manage_sign_in':
      return administratorsOnly('manage the sessions and second factors of other users')
    case 'group.list':
      return granted('membership')
    case 'group.view':
      return actor.groups.some(({ id }) => id === request.groupId)
        ? granted('membership')
        : decide(false, 'permission', 'You do not have permission to view this group', 'membership')
    case 'group.view_members':
      return administratorsOnly('view the members of a group')
    case 'group.manage':
    case 'group.edit':
      return administratorsOnly('manage groups')
    case 'permission.view':
      return byRight(actor, 'templ_perm_edit', 'view permissions')
    case 'template.view':
      return byRight(actor, 'templ_perm_edit', 'view permission templates')
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
    return decide(false, 'administrator', NOT_THEIRS, 'user_is_ueberuser')
  }
  if (isSelf(actor, user.id) && holds(actor, 'user_edit_own')) {
    return granted('user_edit_own')
  }
  return byRight(
    actor,
    'user_edit_others',
    isSelf(actor, user.id) ? 'edit your own account' : 'edit other users'
  )
}

function changeGuarded(actor: Actor, user: UserFacts, field: GuardedField): Decision {
  const edit = editUser(actor, user)
  return !edit.allowed || holds(actor, 'user_edit_others')
    ? edit
    : decide(
        false,
        'own-account',
        `Changing ${field} on your own account requires user_edit_others or user_is_ueberuser`,
        'user_edit_others'
      )
}

function setPassword(actor: Actor, user: UserFacts): Decision {
  const edit = editUser(actor, user)
  if (!edit.allowed || isSelf(actor, user.id)) {
    return edit
  }
  const right = byRight(actor, 'user_passwd_edit_others', 'set the passwords of other users')
  return signInOf(actor, user, right)
}

const NOT_WIDER =
  'To change the sign-in of a user, the caller must have all permissions of that user'

/**
 * Allows to control the sign-in of another user only if the actor has all permissions of that user.
 */
function signInOf(actor: Actor, { id, held = new Set() }: UserFacts, right: Decision): Decision {
  if (!right.allowed || isSelf(actor, id) || !settings.assign_only_held) {
    return right
  }
  const missing = [...held].filter((permission) => !holds(actor, permission))
  const message = `You cannot change the sign-in of a user who has permissions that you do not have: ${missing.join(', ')}`
  const decision =
    missing.length === 0 ? right : decide(false, 'grant', message, missing.join(', '))
  const reason = { rule: 'grant', message: NOT_WIDER, source: 'permissions.assign_only_held' }
  return { ...decision, reasons: [...decision.reasons, reason] }
}

function deleteUser(actor: Actor, user: UserFacts): Decision {
  if (isSelf(actor, user.id)) {
    return decide(false, 'own-account', 'You cannot delete your own account', 'own account')
  }
  return user.isSuperUser
    ? decide(false, 'administrator', NOT_THEIRS, 'user_is_ueberuser')
    : byRight(actor, 'user_edit_others', 'delete users')
}

const NARROWED = 'To assign a permission template, the caller must have all of its permissions'

function assignTemplate(
  actor: Actor,
  user: UserFacts | null,
  template: ReadonlySet<Permission>
): Decision {
  if (!holds(actor, 'user_edit_templ_perm')) {
    return byRight(actor, 'user_edit_templ_perm', 'assign permission templates')
  }
  if (user?.isSuperUser) {
    return decide(false, 'administrator', NOT_THEIRS, 'user_is_ueberuser')
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
  const right = isSelfAssignment
    ? byRight(actor, 'user_edit_others', 'change your own permission template')
    : granted('user_edit_templ_perm')
  return right.allowed && settings.assign_only_held ? narrowed(actor, template, right) : right
}

/** Allows a template only if the actor has all its permissions. */
function narrowed(actor: Actor, template: ReadonlySet<Permission>, right: Decision): Decision {
  const held = grantsOnlyHeld(actor, [...template])
  const decision = held.allowed ? right : held
  const reason = { rule: 'grant', message: NARROWED, source: 'permissions.assign_only_held' }
  return { ...decision, reasons: [...decision.reasons, reason] }
}

function createTemplate(actor: Actor, grants: ReadonlySet<Permission>): Decision {
  const right = byRight(actor, 'templ_perm_add', 'create permission templates')
  return right.allowed ? grantsOnlyHeld(actor, [...grants]) : right
}

function editTemplate(
  actor: Actor,
  { permissions, isActors }: TemplateFacts,
  grants: ReadonlySet<Permission>
): Decision {
  const right = byRight(actor, 'templ_perm_edit', 'edit permission templates')
  if (!right.allowed) {
    return right
  }
  if (permissions.has('user_is_ueberuser')) {
    return administratorsOnly('edit a permission template with user_is_ueberuser')
  }
  const added = [...grants].filter((permission) => !permissions.has(permission))
  if (isActors && added.length > 0) {
    return decide(
      false,
      'grant',
      `You cannot add ${added.join(', ')} to a permission template that grants your own permissions`,
      added.join(', ')
    )
  }
  return grantsOnlyHeld(actor, added)
}

function deleteTemplate(actor: Actor, { permissions }: TemplateFacts): Decision {
  return permissions.has('user_is_ueberuser')
    ? administratorsOnly('delete a permission template with user_is_ueberuser')
    : byRight(actor, 'user_edit_templ_perm', 'delete permission templates')
}

/** Refuses added permissions that the actor does not have. */
function grantsOnlyHeld(actor: Actor, added: Permission[]): Decision {
  const missing = added.filter((permission) => !holds(actor, permission))
  return decide(
    missing.length === 0,
    'grant',
    `You cannot grant permissions that you do not have: ${missing.join(', ')}`,
    missing.join(', ')
  )
}

function byRight(actor: Actor, right: Permission, what: string): Decision {
  return holds(actor, right)
    ? allow(grantsOf(actor, [right]))
    : decide(false, 'permission', `You do not have permission to ${what}`, right)
}

function administratorsOnly(what: string): Decision {
  return decide(false, 'permission', `Only administrators can ${what}`, 'user_is_ueberuser')
}

function granted(source: string): Decision {
  return decide(true, 'permission', `Granted by ${source}`, source)
}
