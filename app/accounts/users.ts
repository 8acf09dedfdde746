import db from '@adonisjs/lucid/services/db'
import { inTransaction } from '#database/transaction'
import hash from '@adonisjs/core/services/hash'
import { conflict, invalid, notFound } from '#exceptions/refusal'
import User from '#models/user'

/** Everything about a new user. */
export interface NewUser {
  username: string
  password: string
  email: string | null
  active: boolean
  /** Name of a user-type permission template; null takes the least-privileged one. */
  template: string | null
  /** Names of groups, exactly. */
  groups: string[]
}

const MAX_USERNAME = 64
const MAX_EMAIL = 255

/** The user of that name, or null. */
export function findUser(username: string): Promise<User | null> {
  return User.findBy('username', username)
}

/**
 * Creates a user, as a whole or not at all. Throws a `Refusal` that names what is wrong.
 */
export async function createUser(input: NewUser): Promise<{ id: number }> {
  const { username, email } = input
  if (!/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u.test(username) || username.length > MAX_USERNAME) {
    throw invalid(
      `Field 'username': ${JSON.stringify(username.slice(0, 100))} must have 1 to ${MAX_USERNAME} printable characters, none of them a blank at an end`
    )
  }
  if (input.password === '') {
    throw invalid("Field 'password' must not be empty")
  }
  if (email !== null && (email.length > MAX_EMAIL || !/^\S+@\S+$/.test(email))) {
    throw invalid(`Field 'email': "${email}" is not an e-mail address`)
  }
  const password = await hash.make(input.password)
  return inTransaction(db.connection(), async (trx) => {
    if (await User.query({ client: trx }).where('username', username).first()) {
      throw conflict(`A user named '${username}' already exists`)
    }
    if (email && (await User.query({ client: trx }).where('email', email).first())) {
      throw conflict(`A user with the address '${email}' already exists`)
    }
    const templateId = input.template
      ? await templateNamed(input.template)
      : await leastPrivilegedTemplate()
    const groupIds: number[] = []
    for (const name of new Set(input.groups)) {
      const group: { id: number } | null = await trx
        .from('zw_groups')
        .where('name', name)
        .select('id')
        .first()
      if (!group) {
        throw notFound(`There is no group named '${name}'`)
      }
      groupIds.push(group.id)
    }
    const now = new Date().toISOString()
    const user = new User().useTransaction(trx).merge({
      username,
      password,
      fullname: '',
      email,
      description: '',
      permissionTemplateId: templateId,
      active: input.active,
      authMethod: 'local',
      createdAt: now,
      updatedAt: now,
    })
    await user.save()
    const members = groupIds.map((id) => ({ group_id: id, user_id: user.id, joined_at: now }))
    if (members.length > 0) {
      await trx.table('zw_group_members').multiInsert(members)
    }
    return { id: user.id }

    async function templateNamed(name: string): Promise<number> {
      const rows: { id: number; name: string }[] = await trx
        .from('zw_permission_templates')
        .where('template_type', 'user')
        .orderBy('id')
      const found = rows.find((row) => row.name === name)
      if (!found) {
        const names = rows.map((row) => `'${row.name}'`).join(', ')
        throw notFound(`There is no user template named '${name}'; there are ${names}`)
      }
      return found.id
    }

    async function leastPrivilegedTemplate(): Promise<number> {
      const rows: { id: number; permissions: number | string; admin: number | string | null }[] =
        await trx
          .from('zw_permission_templates as t')
          .leftJoin('zw_permission_template_items as i', 'i.template_id', 't.id')
          .leftJoin('zw_permissions as p', 'p.id', 'i.permission_id')
          .where('t.template_type', 'user')
          .groupBy('t.id', 't.name')
          .orderByRaw('count(i.permission_id), t.name')
          .select(
            't.id',
            trx.raw('count(i.permission_id) as permissions'),
            trx.raw("max(case when p.name = 'user_is_ueberuser' then 1 else 0 end) as admin")
          )
      const least = rows.find((row) => Number(row.admin) === 0)
      if (!least) {
        throw invalid('No permission template available to assign: name one that exists')
      }
      return least.id
    }
  })
}
