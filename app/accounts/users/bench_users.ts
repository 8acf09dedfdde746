import { randomBytes } from 'node:crypto'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/chunks'
import { refreshStatistics } from '#database/statistics'
import { inTransaction } from '#database/transaction'
import { keepUserKeys } from '#database/user_keys'

/** The template of those who only edit what is theirs. */
const TEMPLATE = 'Editor'

/**
 * Makes users for benchmarks, past all checks: nobody signs in as one of them, and hashing so many passwords would take
 * minutes. Each has a full name, an address, a description that one in a hundred shares, and an API key that nobody knows.
 *
 * @param count   how many, from 1
 * @param groupId of the group that all of them are in, if any
 */
export async function fillUsersForBench(
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
    await keepUserKeys(trx, null)
    await giveKeys(trx, after, groupId)
  })
  await refreshStatistics(client, ['zw_users', 'zw_api_keys', 'zw_group_members'])
}

/** A key for each user behind an id, every other one for dynamic DNS; and a place in the group. */
async function giveKeys(
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
    // Of no key at all.
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
