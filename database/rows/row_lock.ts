import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Holds a row until the transaction ends: nobody else changes, deletes or holds it meanwhile. It is a write
 * that changes nothing, which takes the row's lock on every database (SQLite: that of the file). A row that
 * is not there is not held.
 *
 * @param table a table of ours whose key is `id`
 */
export async function holdRow(
  trx: TransactionClientContract,
  table: string,
  id: number
): Promise<void> {
  await trx.from(table).where('id', id).update({ id })
}
