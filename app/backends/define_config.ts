import type { PowerDnsApiOptions } from '#backends/powerdns_api/driver'
import type { SqlBackendOptions } from '#backends/sql/driver'

/** One backend of config/dns.ts: the driver that serves it, and the driver's options. */
export interface BackendConfig<Options = unknown> {
  driver: string
  options: Options
}

/** config/dns.ts as the manager needs it. */
export interface BackendsConfig {
  /** Name of the backend in use (setting `dns.backend`). */
  backend: string
  backends: Record<string, BackendConfig>
}

/**
 * Driver factories for config/dns.ts. They only name the driver: a service provider registers the code with
 * `BackendManager.extend`.
 */
export const backends = {
  /** PowerDNS' tables and Zonewright's in one database (providers/sql_backend_provider.ts). */
  sql(options: SqlBackendOptions = {}): BackendConfig<SqlBackendOptions> {
    return { driver: 'sql', options }
  },

  /** A server that is used only over its HTTP API (providers/powerdns_api_backend_provider.ts). */
  powerdnsApi(options: PowerDnsApiOptions): BackendConfig<PowerDnsApiOptions> {
    return { driver: 'powerdns_api', options }
  },
}
