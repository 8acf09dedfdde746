import type { ApplicationService } from '@adonisjs/core/types'

/** Writes who was last seen by dynamic DNS before the service ends. */
export default class DyndnsProvider {
  constructor(protected app: ApplicationService) {}

  /** Called before the database is closed. */
  async shutdown() {
    if (this.app.getEnvironment() === 'web') {
      const { clientBoard } = await import('#zones/dynamic_dns/client_activity')
      await clientBoard.flush()
    }
  }
}
