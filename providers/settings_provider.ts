import type { ApplicationService } from '@adonisjs/core/types'
import { registry } from '#settings/define'
import { withoutEffect } from '#settings/not_yet'

/**
 * Stops the start when the operator's settings cannot be used. All of `config/` is loaded when
 * providers register, so every section is known and every problem is told at once.
 */
export default class SettingsProvider {
  constructor(protected app: ApplicationService) {}

  /** @throws InvalidSettingsError */
  register() {
    registry.assertValid()
  }

  /** Called when the service is about to serve. */
  async ready() {
    const names = this.app.getEnvironment() === 'web' ? withoutEffect(registry.environment) : []
    const logger = await this.app.container.make('logger')
    for (const name of names) {
      logger.warn(`${name} has no effect: this version does not have that setting`)
    }
  }
}
