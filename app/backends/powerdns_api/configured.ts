import { PowerDnsClient } from '#backends/powerdns_api/client'
import pdnsApi from '#config/pdns_api'

/** The client of the server that the settings `pdns_api.*` name; see `isConfigured`. */
export function configuredClient(): PowerDnsClient {
  const { url, key, server_name: serverName } = pdnsApi
  return new PowerDnsClient({ url, key, serverName })
}
