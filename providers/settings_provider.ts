import { registry } from '#settings/define'

/**
 * Stops the start when the operator's settings cannot be used. All of `config/` is loaded when
 * providers register, so every section is known and every problem is told at once.
 */
export default class SettingsProvider {
  /** @throws InvalidSettingsError */
  register() {
    registry.assertValid()
  }
}
