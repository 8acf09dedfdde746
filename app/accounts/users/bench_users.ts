import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/chunks'
import { refreshStatistics } from '#database/statistics'
import { inTransaction } from '#database/transaction'
import { keepUserKeys } from '#database/user_keys'

/** The template of those who only edit what is theirs. */
const TEMPLATE = 'Editor'

/**
 * Makes users for benchmarks, past all checks: nobody signs in as one of them, and hashing so many passwords would take
 * minutes. Each has a full name, an address, and a description that one in a hundred shares.
 *
 * @param count how many, from 1
 */
export async function fillUsersForBench(client: QueryClientContract, count: number): Promise<void> {
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
  })
  await refreshStatistics(client, ['zw_users'])
}
