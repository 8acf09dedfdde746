import type { ApplicationService } from '@adonisjs/core/types'
import type { AuditKeeper } from '#jobs/background/audit_sealer'

/** Keeps the audit log in the process that serves. */
export default class AuditProvider {
  #keeper: AuditKeeper | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { AuditKeeper } = await import('#jobs/background/audit_sealer')
    this.#keeper = new AuditKeeper(await this.app.container.make('logger'))
    this.#keeper.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#keeper?.stop()
  }
}
