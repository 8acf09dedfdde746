import { PowerDnsClient } from '#backends/powerdns_api/client'
import pdnsApi from '#config/pdns_api'

let client: PowerDnsClient | undefined
/** The settings of `client`. */
let createdWith: readonly unknown[] = []

/**
 * The client of the server that the settings `pdns_api.*` name; see `isConfigured`. One for the process: its
 * connections, and what it knows of the server, are shared.
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
