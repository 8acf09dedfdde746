import { backends } from '#backends/define_config'
import { configuredClient } from '#backends/powerdns_api/configured'
import { PowerDnsNameServer } from '#backends/powerdns_api/name_server'
import { PowerDnsSigning } from '#backends/powerdns_api/signing'
import dns from '#settings/dns'

const server = configuredClient()

/**
 * Settings of the section `dns` (declared in app/settings/dns.ts), and the backends that `dns.backend`
 * may name.
 */
export default {
  ...dns,
  backends: {
    sql: backends.sql({
      hasServerApi: server.isConfigured,
      ...(server.isConfigured
        ? { signing: new PowerDnsSigning(server), nameServer: new PowerDnsNameServer(server) }
        : {}),
    }),
  },
}
