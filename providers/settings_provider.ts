import type { ApplicationService } from '@adonisjs/core/types'
import { registry } from '#settings/define'

/**
 * Stops the start if settings are invalid. AdonisJS loads all of `config/` before providers register, so that one error
 * reports all problems.
 */
export default class SettingsProvider {
  constructor(protected app: ApplicationService) {}

  /** @throws InvalidSettingsError */
  register() {
    registry.assertValid()
  }
}
