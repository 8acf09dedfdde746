import { demand } from '#access/demand'
import { writeAccounts } from '#accounts/account_write'
import type { AccountTerms } from '#accounts/terms'
import { memberAdded, memberRemoved, type MemberName } from '#accounts/groups/events'
import { groupOf } from '#accounts/groups/groups'
import { isRowId } from '#database/rows/row_ids'
import { invalid, notFound } from '#exceptions/refusal'

/** Adds a member. Throws a 404 `Refusal` for a missing group or user, and a 400 for a member. */
export function addMember(terms: AccountTerms, groupId: number, userId: number): Promise<void> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const group = await groupOf(trx, groupId)
    const user: MemberName | null = isRowId(userId)
      ? await trx.from('zw_users').where('id', userId).select('id', 'username').first()
      : null
    if (!user) {
      throw notFound('User not found')
    }
    const membership = { group_id: groupId, user_id: userId }
    if (await trx.from('zw_group_members').where(membership).first()) {
      throw invalid('User is already a member of this group')
    }
    const joined = new Date().toISOString()
    await trx.table('zw_group_members').insert({ ...membership, joined_at: joined })
    return { result: undefined, events: [memberAdded(group, user)] }
  })
}

/**
 * Removes a member. Throws a 404 `Refusal` if the group is missing or the user is not a member.
 */
export function removeMember(terms: AccountTerms, groupId: number, userId: number): Promise<void> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const group = await groupOf(trx, groupId)
    const membership = { group_id: groupId, user_id: userId }
    const member: MemberName | null = isRowId(userId)
      ? await trx
          .from('zw_group_members')
          .join('zw_users', 'zw_users.id', 'zw_group_members.user_id')
          .where(membership)
          .select('zw_users.id', 'zw_users.username')
          .first()
      : null
    if (!member) {
      throw notFound('Member not found in this group')
    }
    await trx.from('zw_group_members').where(membership).delete()
    return { result: undefined, events: [memberRemoved(group, member)] }
  })
}

/** Ids of users to add and to remove. */
export interface MemberChanges {
  add?: readonly number[]
  remove?: readonly number[]
}

/**
 * Adds and removes members in one transaction; returns the number of changes. Skips present members
 * and absent ones. Throws a 404 `Refusal` for a missing group or user.
 */
export function changeMembers(
  terms: AccountTerms,
  groupId: number,
  { add = [], remove = [] }: MemberChanges
): Promise<number> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const group = await groupOf(trx, groupId)
    const named = [...new Set([...add, ...remove])].filter(isRowId)
    const users: MemberName[] = await trx
      .from('zw_users')
      .whereIn('id', [0, ...named])
      .select('id', 'username')
    const rows: { user_id: number }[] = await trx
      .from('zw_group_members')
      .where('group_id', groupId)
      .whereIn('user_id', [0, ...named])
      .select('user_id')
    const inside = new Set(rows.map((row) => row.user_id))
    if (add.some((id) => !users.some((user) => user.id === id))) {
      throw notFound('User not found')
    }
    const joining = users.filter(({ id }) => add.includes(id) && !inside.has(id))
    const leaving = users.filter(({ id }) => remove.includes(id) && inside.has(id))
    const joined = new Date().toISOString()
    if (joining.length > 0) {
      await trx
        .table('zw_group_members')
        .multiInsert(
          joining.map(({ id }) => ({ group_id: groupId, user_id: id, joined_at: joined }))
        )
    }
    await trx
      .from('zw_group_members')
      .where('group_id', groupId)
      .whereIn('user_id', [0, ...leaving.map(({ id }) => id)])
      .delete()
    const events = [
      ...joining.map((user) => memberAdded(group, user)),
      ...leaving.map((user) => memberRemoved(group, user)),
    ]
    return { result: joining.length + leaving.length, events }
  })
}
