import type { HttpContext } from '@adonisjs/core/http'
import serverSettings from '#config/server'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import env from '#support/env'

const TRUSTED_PROXIES = parseNetworks(serverSettings.trusted_proxies)

/** Whether `server.trusted_proxies` contains the address of a connection. */
export function isTrustedProxy(address: string): boolean {
  return isInNetworks(address, TRUSTED_PROXIES)
}

/**
 * The public URL of the application without a slash at the end: `APP_URL`, else from the request. A
 * trusted proxy sends it in `X-Forwarded-Proto` and `X-Forwarded-Host`.
 */
export function endpointOf({ request }: HttpContext): string {
  const isProxied = isTrustedProxy(request.request.socket.remoteAddress ?? '')
  // The last entry is from the proxy that holds the connection.
  const forwarded = (name: string) =>
    isProxied ? request.header(name)?.split(',').at(-1)?.trim() || undefined : undefined
  const scheme =
    forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : request.protocol()
  const asked = [forwarded('x-forwarded-host'), request.host()]
    .map((host) => URL.parse(`${scheme}://${host ?? ''}`))
    .find((url) => url !== null)
  const requestUrl =
    URL.parse(env.get('APP_URL') ?? '')?.href ?? asked?.origin ?? 'http://localhost'
  return requestUrl.replace(/\/+$/, '')
}
