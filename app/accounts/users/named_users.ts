import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { findReferencedGroups } from '#accounts/groups/references'
import { hashNewPassword } from '#accounts/passwords/new_password'
import { commandOptions } from '#accounts/terms'
import { insertUser } from '#accounts/users/creation'
import { checkEmail, checkUsername } from '#accounts/users/fields'
import { requireLeastPrivilegedTemplate } from '#accounts/users/template'
import { writeUsers } from '#accounts/users/write'
import { notFound } from '#exceptions/refusal'
import User from '#models/user'

/** Input for a new user. */
export interface NewUser {
  username: string
  password: string
  email: string | null
  active: boolean
  /** Name of a user template; null for the least-privileged one. */
  template: string | null
  /** Exact names of groups. */
  groups: string[]
}

/** Returns the user with exactly this name, or null. */
export async function findUser(username: string): Promise<User | null> {
  const user = await User.findBy('username', username)
  // Compares again: MariaDB ignores spaces at the end.
  return user?.username === username ? user : null
}

/**
 * Creates a user in one transaction, with an audit event of the actor. Throws a `Refusal` for
 * invalid input.
 */
export async function createUser(input: NewUser, actor: Actor): Promise<{ id: number }> {
  const { username, email } = input
  checkUsername(username)
  if (email !== null) {
    checkEmail(email)
  }
  const password = await hashNewPassword(input.password, input)
  return writeUsers(async (trx) => {
    const templateId =
      input.template === null
        ? await requireLeastPrivilegedTemplate(trx)
        : await findTemplateId(trx, input.template)
    const id = await insertUser(trx, commandOptions(actor), {
      username,
      password,
      fullname: '',
      email,
      description: '',
      active: input.active,
      templateId,
      authMethod: 'local',
      groups: await findReferencedGroups(trx, input.groups),
    })
    return { id }
  })
}

async function findTemplateId(trx: TransactionClientContract, name: string): Promise<number> {
  const rows: { id: number; name: string }[] = await trx
    .from('zw_permission_templates')
    .where('template_type', 'user')
    .orderBy('id')
  const found = rows.find((row) => row.name === name)
  if (!found) {
    const names = rows.map((row) => `'${row.name}'`).join(', ')
    throw notFound(`There is no user template named '${name}'; available: ${names}`)
  }
  return found.id
}
