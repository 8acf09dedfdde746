import { backends } from '#backends/define_config'
import { configuredClient } from '#backends/powerdns_api/configured'
import { PowerDnsNameServer } from '#backends/powerdns_api/name_server'
import { PowerDnsSigning } from '#backends/powerdns_api/signing'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import dns from '#settings/dns'

export { EXAMPLE_NAME_SERVERS } from '#settings/dns'

function backendsWith(server: PowerDnsClient) {
  /** What only a server does that is spoken with. */
  const spoken = server.isConfigured
    ? { signing: new PowerDnsSigning(server), nameServer: new PowerDnsNameServer(server) }
    : {}
  return {
    sql: backends.sql({ hasServerApi: server.isConfigured, ...spoken }),
    api: backends.powerdnsApi({ client: server, ...spoken }),
  }
}

let made: { server: PowerDnsClient; backends: ReturnType<typeof backendsWith> } | undefined

const own = {
  get backends() {
    const server = configuredClient()
    if (made?.server !== server) {
      made = { server, backends: backendsWith(server) }
    }
    return made.backends
  },
}

/**
 * Settings of the section `dns` (declared in app/settings/dns.ts), and the backends that `dns.backend`
 * may name. Each is read when it is used.
 */
export default Object.defineProperties(
  {},
  { ...Object.getOwnPropertyDescriptors(dns), ...Object.getOwnPropertyDescriptors(own) }
) as typeof dns & typeof own
