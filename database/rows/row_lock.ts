import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Locks a row until the transaction ends, by an update that changes nothing. That locks the row on every database (on SQLite
 * the file). Does nothing if the row is missing.
 *
 * @param table a table of Zonewright with the key `id`
 */
export async function holdRow(
  trx: TransactionClientContract,
  table: string,
  id: number
): Promise<void> {
  await trx.from(table).where('id', id).update({ id })
}
