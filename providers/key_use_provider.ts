import type { ApplicationService } from '@adonisjs/core/types'

/** Writes when API keys were last used before the service ends. */
export default class KeyUseProvider {
  constructor(protected app: ApplicationService) {}

  /** Called before the database is closed. */
  async shutdown() {
    if (this.app.getEnvironment() === 'web') {
      const { keyUses } = await import('#accounts/keys/last_used')
      await keyUses.flush()
    }
  }
}
