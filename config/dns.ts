import { backends } from '#backends/define_config'
import { configuredClient } from '#backends/powerdns_api/configured'
import { PowerDnsNameServer } from '#backends/powerdns_api/name_server'
import { PowerDnsSigning } from '#backends/powerdns_api/signing'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import dns from '#settings/dns'

export { EXAMPLE_NAME_SERVERS } from '#settings/dns'

function backendsWith(server: PowerDnsClient) {
  /** Features that need the HTTP API of a server. */
  const apiFeatures = server.isConfigured
    ? { signing: new PowerDnsSigning(server), nameServer: new PowerDnsNameServer(server) }
    : {}
  return {
    sql: backends.sql({ hasServerApi: server.isConfigured, ...apiFeatures }),
    api: backends.powerdnsApi({ client: server, ...apiFeatures }),
  }
}

let configured: { server: PowerDnsClient; backends: ReturnType<typeof backendsWith> } | undefined

const derived = {
  get backends() {
    const server = configuredClient()
    if (configured?.server !== server) {
      configured = { server, backends: backendsWith(server) }
    }
    return configured.backends
  },
}

/**
 * Settings of the section `dns` (declared in app/settings/dns.ts), and the backends that `dns.backend` may name. Values are
 * read lazily.
 */
export default Object.defineProperties(
  {},
  { ...Object.getOwnPropertyDescriptors(dns), ...Object.getOwnPropertyDescriptors(derived) }
) as typeof dns & typeof derived
