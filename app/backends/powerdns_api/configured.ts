import { PowerDnsClient } from '#backends/powerdns_api/client'
import pdnsApi from '#config/pdns_api'

let client: PowerDnsClient | undefined

/**
 * The client of the server that the settings `pdns_api.*` name; see `isConfigured`. One for the process: its
 * connections, and what it knows of the server, are shared.
 */
export function configuredClient(): PowerDnsClient {
  const { url, key, server_name: serverName, patience } = pdnsApi
  client ??= new PowerDnsClient({ url, key, serverName }, undefined, patience)
  return client
}
