import { PowerDnsClient } from '#backends/powerdns_api/client'
import pdnsApi from '#config/pdns_api'

let client: PowerDnsClient | undefined
/** The settings of `client`. */
let createdWith: readonly unknown[] = []

/**
 * The client of the server in the settings `pdns_api.*`; see `isConfigured`. One per process, so that connections and
 * caches are shared.
 */
export function configuredClient(): PowerDnsClient {
  const { url, key, server_name: serverName, timeout } = pdnsApi
  const settings = [url, key, serverName, timeout]
  if (!client || settings.some((value, index) => value !== createdWith[index])) {
    client = new PowerDnsClient({ url, key, serverName }, undefined, timeout)
    createdWith = settings
  }
  return client
}
