import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { linkHash } from '#audit/chain'
import type { StoredEvent } from '#audit/entry'
import { lockChain, saveEnds } from '#audit/head'
import { notifySealed } from '#audit/sealed'
import { inTransaction } from '#database/transaction'

/** Maximum number of events per transaction. */
const SEAL_BATCH_SIZE = 500

/**
 * Adds every committed event without a link to the chain, in the order of ids. An event whose transaction commits late is
 * added later. One process works at a time; others wait, and then find nothing. Returns the number of events. Throws
 * `ChainBroken` and errors of the database.
 *
 * @param signal ends it early, between two transactions
 */
export async function sealAll(signal?: AbortSignal): Promise<number> {
  for (let sealed = 0; ;) {
    const waiting: unknown = await unsealed(db.connection()).select('id').first()
    if (!waiting || signal?.aborted) {
      return sealed
    }
    sealed += await inTransaction(db.connection(), sealBatch)
    notifySealed()
  }
}

/** Counts the events that are not sealed yet. */
export async function countUnsealed(): Promise<number> {
  const [row] = await unsealed(db.connection()).count('* as total')
  const { total } = row as unknown as { total: number | string }
  return Number(total)
}

/** Events without a link. A link whose event is marked as unsealed was manipulated, and does not change. */
function unsealed(client: QueryClientContract): DatabaseQueryBuilderContract<StoredEvent> {
  return client
    .from('zw_audit')
    .where('sealed', false)
    .whereNotExists((links) =>
      links.from('zw_audit_chain').whereColumn('zw_audit_chain.audit_id', 'zw_audit.id')
    ) as DatabaseQueryBuilderContract<StoredEvent>
}

async function sealBatch(trx: TransactionClientContract): Promise<number> {
  const { head, anchor } = await lockChain(trx)
  const rows: StoredEvent[] = await unsealed(trx).orderBy('id').limit(SEAL_BATCH_SIZE)
  if (rows.length === 0) {
    return 0
  }
  let { position, hash } = head
  const links = rows.map((row) => {
    position += 1
    hash = linkHash(hash, row)
    return { position, audit_id: Number(row.id), hash }
  })
  await trx.table('zw_audit_chain').multiInsert(links)
  const ids = links.map(({ audit_id: id }) => id)
  await trx.from('zw_audit').whereIn('id', ids).update({ sealed: true })
  await saveEnds(trx, { head: { position, hash }, anchor })
  return rows.length
}
