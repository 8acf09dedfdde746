import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { GuardedField } from '#access/rules/account_rules'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { withRemainingAdministrator } from '#accounts/users/last_administrator'
import { hashNewPassword } from '#accounts/passwords/new_password'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import { resetFailures } from '#accounts/sign_in/failures'
import { checkEmail, checkUsername, checkUnique } from '#accounts/users/fields'
import { nameSkeleton } from '#accounts/users/name_skeleton'
import { findUserById, lockUser, type UserWithFacts, type UserRow } from '#accounts/users/row'
import { demandTemplateAssignment } from '#accounts/users/template'
import { finishUserChange, writeUsers } from '#accounts/users/write'
import type { AccountWriteOptions } from '#accounts/terms'
import { canSendResets } from '#accounts/password_reset/is_enabled'
import { updateUserSortKeys } from '#database/user_sort_keys'
import { forbidden, invalid } from '#exceptions/refusal'

/**
 * Input for a change of a user; absent members stay, and equal values are no change. null for a
 * guarded member requests an invalid change, which still needs the right.
 */
export interface UserUpdateInput {
  username?: string | null
  /** Empty counts as absent. */
  password?: string
  fullname?: string
  email?: string
  description?: string
  active?: boolean | null
  /** null stands for a template that does not exist. */
  templateId?: number | null
  useLdap?: boolean | null
}

/** Changed columns, including the hash of the password. */
type Changes = Partial<Omit<UserRow, 'id'> & { password: string | null }>

/**
 * Throws unless the actor may edit the user. In this order: 403 without the right for this id, 404
 * for a missing user, 403 for a protected one.
 */
export async function demandUserEdit(actor: Actor, id: number): Promise<UserWithFacts> {
  demand(actor, { action: 'user.edit', user: { id, isSuperUser: false } })
  const user = await findUserById(db.connection(), id)
  demand(actor, { action: 'user.edit', user: user.facts })
  return user
}

/**
 * As `demandUserEdit`, for a request that only assigns a template: the right to assign templates is
 * enough.
 */
export async function demandTemplateEdit(actor: Actor, id: number): Promise<UserWithFacts> {
  const anyUser = { id, isSuperUser: false }
  const assign = { action: 'user.assign_template', user: null, template: new Set<never>() } as const
  if (!authorize(actor, { action: 'user.edit', user: anyUser }).allowed) {
    demand(actor, assign)
  }
  const user = await findUserById(db.connection(), id)
  if (user.facts.isSuperUser) {
    demand(actor, { action: 'user.edit', user: user.facts })
  }
  return user
}

/**
 * Changes a user; false without a change. Throws a `Refusal`: 403 for a change without the right,
 * then 400 for invalid members, then 409 for an existing name or address, and if no active
 * administrator would be left.
 */
export async function updateUser(
  terms: AccountWriteOptions,
  id: number,
  input: UserUpdateInput
): Promise<boolean> {
  const { actor } = terms
  const found = await demandUserEdit(actor, id)
  await demandChanges(db.connection(), actor, found, input)
  const passwordHash = input.password
    ? await hashNewPassword(input.password, { username: input.username ?? found.username })
    : undefined
  const isChanged = await writeUsers(async (trx) => {
    const user = await lockUser(trx, id)
    demand(actor, { action: 'user.edit', user: user.facts })
    await demandChanges(trx, actor, user, input)
    terms.checkStored?.(user)
    const changes = changedValues(user, {
      ...profileChanges(user, input),
      ...signInChange(user, input.useLdap, passwordHash),
      permission_template_id: input.templateId ?? undefined,
    })
    return writeChanges(trx, terms, user, changes)
  })
  if (passwordHash !== undefined || (input.active && !found.active)) {
    // A new password or an activation resets wrong passwords.
    await resetFailures({ username: input.username ?? found.username })
  }
  return isChanged
}

/**
 * Assigns a template to a user. Throws a `Refusal`: 403 without the right, 400 if it is no user
 * template, 409 if no active administrator would be left.
 */
export async function assignTemplate(
  terms: AccountWriteOptions,
  id: number,
  templateId: number
): Promise<void> {
  await writeUsers(async (trx) => {
    const user = await lockUser(trx, id)
    await demandChanges(trx, terms.actor, user, { templateId })
    terms.checkStored?.(user)
    await writeChanges(
      trx,
      terms,
      user,
      changedValues(user, { permission_template_id: templateId })
    )
  })
}

/**
 * Throws unless the actor may make each change; equal values are no change. A 403, and a 400 for a
 * template that does not exist.
 */
async function demandChanges(
  client: QueryClientContract,
  actor: Actor,
  user: UserWithFacts,
  input: UserUpdateInput
): Promise<void> {
  const guardedFields: [GuardedField, unknown, unknown][] = [
    ['username', input.username, user.username],
    ['active', input.active, user.active],
    ['use_ldap', input.useLdap, user.auth_method === 'ldap'],
  ]
  for (const [field, requestedValue, stored] of guardedFields) {
    if (requestedValue !== undefined && requestedValue !== stored) {
      demand(actor, { action: 'user.change_guarded', user: user.facts, field })
    }
  }
  if (input.password) {
    demand(actor, { action: 'user.set_password', user: user.facts })
  }
  if (input.email !== undefined && (input.email || null) !== user.email) {
    demand(actor, { action: 'user.set_email', user: user.facts })
  }
  if (changesResetAddress(user, input.email) && actor.userId !== user.id) {
    demandPasswordRight(actor, user)
  }
  if (input.templateId !== undefined && input.templateId !== user.permission_template_id) {
    await demandTemplateAssignment(client, actor, user.facts, input.templateId)
  }
}

/** Returns whether the request changes the address for password resets (`/password/forgotten`). */
function changesResetAddress(user: UserWithFacts, email: string | undefined): boolean {
  const isChanged = email !== undefined && (email || null) !== user.email
  return isChanged && canSendResets() && user.auth_method === 'local'
}

function demandPasswordRight(actor: Actor, { facts }: UserWithFacts): void {
  try {
    demand(actor, { action: 'user.set_password', user: facts })
  } catch (error) {
    throw forbidden(
      "Field 'email': changing it requires the permission to set passwords of other users (user_passwd_edit_others), because password links are sent to this address"
    ).because(error)
  }
}

function profileChanges(user: UserWithFacts, input: UserUpdateInput): Changes {
  const { fullname, description, email } = input
  if (email && email !== user.email) {
    checkEmail(email, true)
  }
  const username = input.username ?? undefined
  if (username !== undefined && username !== user.username) {
    checkUsername(username)
  }
  return {
    username,
    fullname,
    description,
    email: email === undefined ? undefined : email || null,
    active: input.active ?? undefined,
  }
}

/**
 * Returns the change of sign-in method and password. The stored hash of an external account is
 * deleted.
 */
function signInChange(
  user: UserWithFacts,
  useLdap: boolean | null | undefined,
  passwordHash: string | undefined
): Changes {
  const wasLdap = user.auth_method === 'ldap'
  const isLdap = useLdap ?? wasLdap
  const isExternal = isLdap || !(wasLdap || user.auth_method === 'local')
  if (isExternal && passwordHash !== undefined) {
    throw invalid(
      "Field 'password': users who sign in through LDAP or single sign-on have no password here"
    )
  }
  if (isLdap) {
    return wasLdap ? {} : { auth_method: 'ldap', password: null }
  }
  if (wasLdap && passwordHash === undefined) {
    throw invalid(
      "Field 'use_ldap': switching a user from LDAP requires a 'password' in the same request"
    )
  }
  return {
    ...(wasLdap ? { auth_method: 'local' } : {}),
    ...(passwordHash === undefined ? {} : { password: passwordHash }),
  }
}

/** Returns the requested values that differ from the stored ones. */
function changedValues(user: UserWithFacts, requested: Changes): Changes {
  const stored: Record<string, unknown> = { ...user }
  return Object.fromEntries(
    Object.entries(requested).filter(
      ([name, value]) => value !== undefined && value !== stored[name]
    )
  )
}

/** Writes the changes and their audit events; returns false without a change. */
async function writeChanges(
  trx: TransactionClientContract,
  terms: AccountWriteOptions,
  user: UserWithFacts,
  changes: Changes
): Promise<boolean> {
  if (Object.keys(changes).length === 0) {
    await finishUserChange(trx, terms, null)
    return false
  }
  await checkUnique(trx, changes, user.id)
  const { username } = changes
  const skeleton = username === undefined ? {} : { username_skeleton: nameSkeleton(username) }
  const write = async () => {
    await trx
      .from('zw_users')
      .where('id', user.id)
      .update({ ...changes, ...skeleton, updated_at: new Date().toISOString() })
    await updateUserSortKeys(trx, [user.id])
  }
  const canReduceRights = changes.active === false || changes.permission_template_id !== undefined
  if (user.facts.isSuperUser && canReduceRights) {
    await withRemainingAdministrator(trx, write)
  } else {
    await write()
  }
  if (changes.password !== undefined || changes.active === false) {
    await revokeSessionsOf(trx, user.id)
  }
  const { password, ...members } = changes
  const after: UserRow = { ...user, ...members }
  await finishUserChange(trx, terms, {
    action: 'user.update',
    user: { id: user.id, username: after.username },
    before: user,
    after,
    ...(password === undefined ? {} : { password: password === null ? 'removed' : 'set' }),
  })
  return true
}
