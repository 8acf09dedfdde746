import type { Database } from '@adonisjs/lucid/database'
import { CapabilityMissing } from '#backends/contract/errors'
import { MirroredBackend, type MirroredOptions } from '#backends/mirrored/backend'
import { PowerDnsAutoprimaries } from '#backends/powerdns_api/autoprimaries'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { powerDnsServer } from '#backends/powerdns_api/zone_server'
import type { WriteSession } from '#backends/contract/write_session'

/** Settings of the driver in config/dns.ts. */
export interface PowerDnsApiOptions extends Omit<
  MirroredOptions,
  'name' | 'server' | 'anyMetadata' | 'autoprimaries'
> {
  client: PowerDnsClient
}

/** Zones of a PowerDNS that is reached over its HTTP API alone. */
export class PowerDnsApiBackend extends MirroredBackend {
  readonly #client: PowerDnsClient

  constructor(database: Database, { client, ...options }: PowerDnsApiOptions) {
    super(database, {
      ...options,
      name: 'api',
      server: powerDnsServer(client),
      autoprimaries: new PowerDnsAutoprimaries(client),
    })
    this.#client = client
  }

  override async write<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    if (!this.#client.isConfigured) {
      throw new CapabilityMissing('The settings pdns_api.url and pdns_api.key are not set')
    }
    return super.write(work)
  }
}
