import type { ApplicationService } from '@adonisjs/core/types'
import { registry } from '#settings/define'

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
}
