import { ConfigLoader } from '@adonisjs/core/config'
import { registry } from '#settings/define'
import type { SettingsRegistry } from '#settings/registry'

/**
 * Imports all of `config/`, as the boot of the application does, and gives the complete registry.
 * Needs no booted application, so it also works where the settings stop the start.
 */
export async function loadSettings(): Promise<SettingsRegistry> {
  await new ConfigLoader(new URL('../../config/', import.meta.url)).load()
  return registry
}
