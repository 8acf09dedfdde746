import type { HttpContext } from '@adonisjs/core/http'
import serverSettings from '#config/server'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import env from '#support/env'

const TRUSTED_PROXIES = parseNetworks(serverSettings.trusted_proxies)

/** Whether `server.trusted_proxies` names the address of a connection. */
export function isTrustedProxy(address: string): boolean {
  return isInNetworks(address, TRUSTED_PROXIES)
}

/**
 * Where the application is found from outside, without slash at the end: as `APP_URL` says, else as it was asked. A
 * proxy of `server.trusted_proxies` is asked in its place, and says so in `X-Forwarded-Proto` and `X-Forwarded-Host`.
 */
export function endpointOf({ request }: HttpContext): string {
  const isProxied = isTrustedProxy(request.request.socket.remoteAddress ?? '')
  // The last entry is that of the proxy which holds the connection.
  const told = (name: string) =>
    isProxied ? request.header(name)?.split(',').at(-1)?.trim() || undefined : undefined
  const scheme = told('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : request.protocol()
  const asked = [told('x-forwarded-host'), request.host()]
    .map((host) => URL.parse(`${scheme}://${host ?? ''}`))
    .find((url) => url !== null)
  const found = URL.parse(env.get('APP_URL') ?? '')?.href ?? asked?.origin ?? 'http://localhost'
  return found.replace(/\/+$/, '')
}
