import { demand } from '#access/demand'
import { writeAccounts } from '#accounts/account_write'
import type { AccountWriteOptions } from '#accounts/terms'
import { memberAdded, memberRemoved, type MemberName } from '#accounts/groups/events'
import { findGroupRow } from '#accounts/groups/groups'
import { isRowId } from '#database/rows/row_ids'
import { invalid, notFound } from '#exceptions/refusal'

/** Adds a member. Throws a 404 `Refusal` for a missing group or user, and a 400 for a member. */
export function addMember(
  terms: AccountWriteOptions,
  groupId: number,
  userId: number
): Promise<void> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const group = await findGroupRow(trx, groupId)
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
    const joinedAt = new Date().toISOString()
    await trx.table('zw_group_members').insert({ ...membership, joined_at: joinedAt })
    return { result: undefined, events: [memberAdded(group, user)] }
  })
}

/**
 * Removes a member. Throws a 404 `Refusal` if the group is missing or the user is not a member.
 */
export function removeMember(
  terms: AccountWriteOptions,
  groupId: number,
  userId: number
): Promise<void> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const group = await findGroupRow(trx, groupId)
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
  terms: AccountWriteOptions,
  groupId: number,
  { add = [], remove = [] }: MemberChanges
): Promise<number> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const group = await findGroupRow(trx, groupId)
    const givenIds = [...new Set([...add, ...remove])].filter(isRowId)
    const users: MemberName[] = await trx
      .from('zw_users')
      .whereIn('id', [0, ...givenIds])
      .select('id', 'username')
    const rows: { user_id: number }[] = await trx
      .from('zw_group_members')
      .where('group_id', groupId)
      .whereIn('user_id', [0, ...givenIds])
      .select('user_id')
    const memberIds = new Set(rows.map((row) => row.user_id))
    if (add.some((id) => !users.some((user) => user.id === id))) {
      throw notFound('User not found')
    }
    const newMembers = users.filter(({ id }) => add.includes(id) && !memberIds.has(id))
    const removedMembers = users.filter(({ id }) => remove.includes(id) && memberIds.has(id))
    const joinedAt = new Date().toISOString()
    if (newMembers.length > 0) {
      await trx
        .table('zw_group_members')
        .multiInsert(
          newMembers.map(({ id }) => ({ group_id: groupId, user_id: id, joined_at: joinedAt }))
        )
    }
    await trx
      .from('zw_group_members')
      .where('group_id', groupId)
      .whereIn('user_id', [0, ...removedMembers.map(({ id }) => id)])
      .delete()
    const events = [
      ...newMembers.map((user) => memberAdded(group, user)),
      ...removedMembers.map((user) => memberRemoved(group, user)),
    ]
    return { result: newMembers.length + removedMembers.length, events }
  })
}
