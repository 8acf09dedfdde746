import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { bytesOf } from '#database/statements/chunks'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'

/** Bytes of rows from which on the limit is read; the default of older servers is 4 MiB. */
const LARGE_PACKET_BYTES = 2 ** 20

/**
 * Refuses rows that are too large for one statement of MariaDB (`max_allowed_packet`) before they are sent. The server closes
 * the connection when it refuses them, and a driver that still sends may not read the error.
 *
 * @param rows of one statement
 * @throws an error with the code of the server
 */
export async function demandPacket(client: QueryClientContract, rows: object[]): Promise<void> {
  // Escaping makes them up to twice as long.
  const { packetLimit } = dialectOf(client)
  if (packetLimit === null || 2 * bytesOf(rows) < LARGE_PACKET_BYTES) {
    return
  }
  // JSON escapes the same characters as a statement.
  const bytes = Buffer.byteLength(JSON.stringify(rows))
  const [{ bytes: maximum }] = await rawRows<{ bytes: number }>(client, packetLimit, [])
  if (bytes > maximum) {
    const error = new Error(`${bytes} bytes exceed max_allowed_packet, ${maximum}`)
    throw Object.assign(error, { code: 'ER_NET_PACKET_TOO_LARGE' })
  }
}
