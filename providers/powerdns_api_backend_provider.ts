import type { ApplicationService } from '@adonisjs/core/types'
import { BackendManager } from '#backends/manager'

/** Registers the driver `powerdns_api`: zones of a server over its HTTP API. */
export default class PowerDnsApiBackendProvider {
  constructor(protected app: ApplicationService) {}

  boot() {
    this.app.container.resolving(BackendManager, async (manager) => {
      const { CapabilityMissing } = await import('#backends/contract/errors')
      const { PowerDnsApiBackend } = await import('#backends/powerdns_api/driver')
      const database = await this.app.container.make('lucid.db')
      manager.extend(
        'powerdns_api',
        (options: ConstructorParameters<typeof PowerDnsApiBackend>[1]) => {
          // Without this check, lists would show an empty mirror as if there were no zones.
          if (!options.client.isConfigured) {
            throw new CapabilityMissing(
              "The setting dns.backend is 'api', but the settings pdns_api.url and pdns_api.key are not set"
            )
          }
          return new PowerDnsApiBackend(database, options)
        }
      )
    })
  }
}
