import { randomUUID } from 'node:crypto'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'

/** The first id of the deleted zones; no zone reaches it. */
const ZONE_IDS = 1_000_000_000

/**
 * Writes deleted zones into the trash. They never existed and cannot be restored. The user was the owner of every hundredth.
 *
 * @param count  number of zones, at least 1
 * @param userId id of the former owner
 */
export async function fillTrash(
  client: QueryClientContract,
  count: number,
  userId: number | undefined
): Promise<void> {
  const now = new Date().toISOString()
  const zones = Array.from({ length: count }, (_, index) => ({
    zone_uid: randomUUID(),
    entry: 1,
    zone_id: ZONE_IDS + index,
    zone_name: `gone${index}.bench.invalid`,
    deleted_at: now,
    username: 'bench',
  }))
  await inTransaction(client, async (trx) => {
    for (const part of chunks(zones)) await trx.table('zw_trash').multiInsert(part)
    const rows: { id: number }[] = await trx
      .from('zw_trash')
      .where('zone_id', '>=', ZONE_IDS)
      .select('id')
    const owned = userId === undefined ? [] : rows.filter((_, index) => index % 100 === 0)
    const owners = owned.map(({ id }) => ({ kind: 'user', owner_id: userId, trash_id: id }))
    for (const part of chunks(owners)) await trx.table('zw_trash_owners').multiInsert(part)
  })
  await refreshStatistics(client, ['zw_trash', 'zw_trash_owners'])
}
