import { randomBytes } from 'node:crypto'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'
import { updateUserSortKeys } from '#database/user_sort_keys'

/** The permission template of the users: they edit only their own zones. */
const TEMPLATE = 'Editor'

/**
 * Writes users straight into the tables, without checks. They have no password, because hashing would take minutes. Each
 * has a full name, an address, one of 100 descriptions, and an API key without a known secret.
 *
 * @param count   number of users, at least 1
 * @param groupId id of a group that all of them join
 */
export async function fillUsers(
  client: QueryClientContract,
  count: number,
  groupId?: number
): Promise<void> {
  const [highest] = await client.from('zw_users').max('id as id')
  const after = Number(highest.id ?? 0)
  const template = await client
    .from('zw_permission_templates')
    .where({ name: TEMPLATE, template_type: 'user' })
    .firstOrFail()
  const now = new Date().toISOString()
  const rows = Array.from({ length: count }, (_, i) => {
    const name = `bench${after}-${i}`
    return {
      username: name,
      password: null,
      fullname: `Person ${i} of ${count}`,
      email: `${name}@bench.invalid`,
      description: `Team ${i % 100}`,
      permission_template_id: template.id,
      created_at: now,
      updated_at: now,
    }
  })
  await inTransaction(client, async (trx) => {
    for (const part of chunks(rows)) await trx.table('zw_users').multiInsert(part)
    await updateUserSortKeys(trx, null)
    await assignKeys(trx, after, groupId)
  })
  await refreshStatistics(client, ['zw_users', 'zw_api_keys', 'zw_group_members'])
}

/** Adds API keys and group memberships for users with higher ids. Every other key is for dynamic DNS. */
async function assignKeys(
  trx: TransactionClientContract,
  after: number,
  groupId: number | undefined
): Promise<void> {
  const users: { id: number; created_at: string }[] = await trx
    .from('zw_users')
    .where('id', '>', after)
    .orderBy('id')
    .select('id', 'created_at')
  const keys = users.map(({ id, created_at: at }) => ({
    name: `router of bench ${id}`,
    user_id: id,
    // Random hash: no key matches it.
    secret_hash: randomBytes(32).toString('hex'),
    prefix: `zw_${randomBytes(3).toString('hex')}`,
    purpose: id % 2 === 0 ? 'dyndns' : null,
    created_at: at,
  }))
  for (const part of chunks(keys)) await trx.table('zw_api_keys').multiInsert(part)
  if (groupId === undefined) return
  const members = users.map(({ id, created_at: at }) => {
    return { group_id: groupId, user_id: id, joined_at: at }
  })
  for (const part of chunks(members)) await trx.table('zw_group_members').multiInsert(part)
}
