import type { HttpContext } from '@adonisjs/core/http'
import { isTrustedProxy } from '#controllers/api/docs/endpoint'
import { isHostAddress } from '#dns/addresses/special_networks'
import { connectionAddress } from '#zones/dynamic_dns/addresses'

const WARNING_PAUSE_MS = 3_600_000

/** Headers in which proxies forward the address; the last two are not supported. */
const HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']

let warnsAgainAt = 0

/**
 * The canonical address of the caller; null if it cannot be that of a host. A loopback address is
 * that of a local proxy. The address of a trusted proxy means that it forwarded none.
 *
 * @param isWanted whether the update needs it: a missing address is then logged, once an hour
 */
export function clientAddress(ctx: HttpContext, isWanted: boolean): string | null {
  const client = connectionAddress(ctx.request.ip())
  const connection = ctx.request.request.socket.remoteAddress ?? ''
  const isProxy = isTrustedProxy(connection) && client === connectionAddress(connection)
  if (client !== null && isHostAddress(client) && !isProxy) {
    return client
  }
  if (isWanted && Date.now() >= warnsAgainAt) {
    warnsAgainAt = Date.now() + WARNING_PAUSE_MS
    const headers = HEADERS.filter((name) => ctx.request.header(name) !== undefined)
    ctx.logger.warn(
      { client, headers },
      'A dynamic update requires the address of its client, but found that of a proxy or of this machine: ' +
        'server.trusted_proxies must contain the proxy, and the proxy must send X-Forwarded-For'
    )
  }
  return null
}
