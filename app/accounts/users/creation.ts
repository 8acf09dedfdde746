import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { demand } from '#access/demand'
import {
  findReferencedGroups,
  type GroupName,
  type GroupReference,
} from '#accounts/groups/references'
import { hashNewPassword } from '#accounts/passwords/new_password'
import { checkEmail, checkUsername, checkUnique } from '#accounts/users/fields'
import { nameSkeleton } from '#accounts/users/name_skeleton'
import type { AuthMethod } from '#accounts/users/row'
import { demandTemplateAssignment, requireLeastPrivilegedTemplate } from '#accounts/users/template'
import { finishUserChange, writeUsers } from '#accounts/users/write'
import type { AccountWriteOptions } from '#accounts/terms'
import { updateUserSortKeys } from '#database/user_sort_keys'
import { invalid } from '#exceptions/refusal'
import User from '#models/user'

/** Input for a new user. Absent members get their defaults. */
export interface NewUserInput {
  username?: string
  password?: string
  fullname?: string
  email?: string
  description?: string
  active?: boolean
  /** Id of a user template; default: the least-privileged one. */
  templateId?: number
  /** The user signs in through LDAP; the password is not stored. */
  useLdap?: boolean
  /** At most 50. */
  groups?: GroupReference[]
}

/** Stored columns of a new user. */
export interface UserRecord {
  username: string
  /** Hash; null if the account cannot sign in with a password. */
  password: string | null
  fullname: string
  /** null for none. */
  email: string | null
  description: string
  active: boolean
  templateId: number
  authMethod: AuthMethod
  groups: GroupName[]
}

/**
 * Creates a user; returns the id and the memberships in the requested order. Throws a `Refusal`
 * before any write: 403 without the right, then 400 for invalid members, then 409 for an existing
 * name or address.
 */
export async function createUserFor(
  terms: AccountWriteOptions,
  input: NewUserInput
): Promise<{ id: number; groups: GroupName[] }> {
  const { actor } = terms
  demand(actor, { action: 'user.create' })
  if (input.groups !== undefined) {
    demand(actor, { action: 'user.set_groups' })
  }
  if (input.templateId !== undefined) {
    demand(actor, { action: 'user.assign_template', user: null, template: new Set() })
  }
  const { username = '', useLdap = false } = input
  if (username === '') {
    throw invalid("Username is required: field 'username'")
  }
  checkUsername(username)
  if (!input.password) {
    throw invalid("Password is required: field 'password'")
  }
  if (input.email) {
    checkEmail(input.email, true)
  }
  const passwordHash = await hashNewPassword(input.password, { username })
  return writeUsers(async (trx) => {
    const groups = await findReferencedGroups(trx, input.groups ?? [])
    const user: UserRecord = {
      username,
      password: useLdap ? null : passwordHash,
      fullname: input.fullname ?? '',
      email: input.email || null,
      description: input.description ?? '',
      active: input.active ?? true,
      templateId: await resolveTemplateId(trx),
      authMethod: useLdap ? 'ldap' : 'local',
      groups,
    }
    return { id: await insertUser(trx, terms, user), groups }
  })

  async function resolveTemplateId(trx: TransactionClientContract): Promise<number> {
    if (input.templateId === undefined) {
      return requireLeastPrivilegedTemplate(trx)
    }
    await demandTemplateAssignment(trx, actor, null, input.templateId)
    return input.templateId
  }
}

/**
 * Inserts a user with memberships and runs the last step of the terms; returns the id. Throws a 409
 * for an existing name or address.
 */
export async function insertUser(
  trx: TransactionClientContract,
  terms: AccountWriteOptions,
  { templateId, groups, ...values }: UserRecord
): Promise<number> {
  await checkUnique(trx, values)
  const now = new Date().toISOString()
  const user = new User().useTransaction(trx).merge({
    ...values,
    usernameSkeleton: nameSkeleton(values.username),
    permissionTemplateId: templateId,
    createdAt: now,
    updatedAt: now,
  })
  await user.save()
  await updateUserSortKeys(trx, [user.id])
  if (groups.length > 0) {
    await trx
      .table('zw_group_members')
      .multiInsert(groups.map(({ id }) => ({ group_id: id, user_id: user.id, joined_at: now })))
  }
  const { id } = user
  const { username, fullname, email, description, active, authMethod } = values
  await finishUserChange(trx, terms, {
    action: 'user.create',
    user: { id, username },
    after: {
      id,
      username,
      fullname,
      email,
      description,
      active,
      permission_template_id: templateId,
      auth_method: authMethod,
    },
    groups,
  })
  return id
}
