import { ConfigLoader } from '@adonisjs/core/config'
import { registry } from '#settings/define'
import type { SettingsRegistry } from '#settings/registry'

/**
 * Imports all of `config/`, as the application does at boot, and returns the registry. Needs no
 * booted application: it also works if settings prevent the start.
 */
export async function loadSettings(): Promise<SettingsRegistry> {
  await new ConfigLoader(new URL('../../config/', import.meta.url)).load()
  return registry
}
