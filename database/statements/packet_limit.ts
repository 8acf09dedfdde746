import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { bytesOf } from '#database/statements/chunks'

/** Bytes of rows from which on it is asked how many the database takes; older servers take 4 MiB. */
const LARGE = 2 ** 20

/**
 * Refuses rows that MariaDB does not take at once (`max_allowed_packet`), before they are sent: the server closes the
 * connection with its refusal, which a driver that still sends may not get to read. Other databases take any.
 *
 * @param rows of one statement
 * @throws an error with the code that the server gives
 */
export async function demandPacket(client: QueryClientContract, rows: object[]): Promise<void> {
  // What is escaped on the way is up to twice as long.
  if (client.dialect.name !== 'mysql' || 2 * bytesOf(rows) < LARGE) {
    return
  }
  // What is escaped in JSON is escaped in a statement, too.
  const bytes = Buffer.byteLength(JSON.stringify(rows))
  const [[{ most }]] = (await client.rawQuery('select @@max_allowed_packet as most')) as [
    { most: number }[],
  ]
  if (bytes > most) {
    const told = new Error(`${bytes} bytes are more than max_allowed_packet, ${most}`)
    throw Object.assign(told, { code: 'ER_NET_PACKET_TOO_LARGE' })
  }
}
