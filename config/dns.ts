import { backends } from '#backends/define_config'
import { configuredClient } from '#backends/powerdns_api/configured'
import dns from '#settings/dns'

/**
 * Settings of the section `dns` (declared in app/settings/dns.ts), and the backends that `dns.backend`
 * may name.
 */
export default {
  ...dns,
  backends: {
    sql: backends.sql({ hasServerApi: configuredClient().isConfigured }),
  },
}
