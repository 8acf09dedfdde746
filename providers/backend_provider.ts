import type { ApplicationService } from '@adonisjs/core/types'
import { assignZones, backendOfZones } from '#backends/installed_backend'
import { BackendManager } from '#backends/manager'
import type { BackendsConfig } from '#backends/define_config'
import { CapabilityMissing } from '#backends/contract/errors'
import { pluginKit } from '#backends/plugin_kit'
import { InvalidSettingsError } from '#settings/errors'
import { commandName } from '#start/command_name'

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'zonewright.backends': BackendManager
  }
}

/** Commands that create or change the tables which this provider reads. */
const COMMANDS_WITHOUT_SCHEMA = ['setup', 'migration:run', 'migration:rollback', 'migration:fresh']

/** Binds the manager of the DNS backends from config/dns.ts. */
export default class BackendProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton(BackendManager, async (resolver) => {
      const database = await resolver.make('lucid.db')
      return new BackendManager(this.#config, () => pluginKit(database))
    })
    // For providers from packages, which cannot import the class.
    this.app.container.alias('zonewright.backends', BackendManager)
  }

  /**
   * @throws InvalidSettingsError if no provider registered the backend of the settings, or if the zones in the database belong
   *   to another one
   */
  async start() {
    const { backend } = this.#config
    const manager = await this.app.container.make(BackendManager)
    if (!manager.names.includes(backend)) {
      const backendNames = manager.names.join(', ')
      throw new InvalidSettingsError([
        `dns.backend: found ${JSON.stringify(backend)}; this installation has: ${backendNames} (plugins.providers adds others)`,
      ])
    }
    if (this.#isUsable(manager) && this.#isBackendNeeded()) {
      try {
        await requireSameBackend(this.app)
      } catch (error) {
        // SchemaProvider reports a database that is down or not set up; the zone index sync checks the backend again.
        if (error instanceof InvalidSettingsError) {
          throw error
        }
      }
    }
  }

  /** A backend without its settings starts; requests about zones then fail with CapabilityMissing. */
  #isUsable(manager: BackendManager): boolean {
    try {
      manager.use()
      return true
    } catch (error) {
      if (error instanceof CapabilityMissing) {
        return false
      }
      throw error
    }
  }

  #isBackendNeeded(): boolean {
    if (this.app.getEnvironment() !== 'console') {
      return this.app.getEnvironment() === 'web'
    }
    return !COMMANDS_WITHOUT_SCHEMA.includes(commandName ?? '')
  }

  get #config(): BackendsConfig {
    return this.app.config.get<BackendsConfig>('dns')
  }
}

/**
 * Assigns the zones in the database to the backend of the settings. Throws `InvalidSettingsError` if they belong to another
 * one, and database errors.
 */
export async function requireSameBackend(app: ApplicationService): Promise<void> {
  const { backend } = app.config.get<BackendsConfig>('dns')
  const database = await app.container.make('lucid.db')
  const client = database.connection()
  const owner = await backendOfZones(client)
  if (owner !== null && owner !== backend) {
    throw new InvalidSettingsError([
      `dns.backend: found "${backend}", but the zones in this database belong to "${owner}"; allowed: "${owner}", or another database. "node ace setup --switch-backend" switches to "${backend}" if possible (docs/reference/backends.md)`,
    ])
  }
  await assignZones(client, backend)
}
