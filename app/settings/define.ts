import '#support/env'
import { homePath } from '#support/home'
import { declare, nest } from '#settings/declarations'
import { SettingsRegistry } from '#settings/registry'
import { resolveSettings } from '#settings/resolve'
import { NO_FILE, readSettingsFile } from '#settings/settings_file'
import type { Declarations, Values } from '#settings/declarations'

export { setting } from '#settings/builders'

const path = process.env.SETTINGS_FILE

/** The settings of this process. */
export const registry = new SettingsRegistry(
  path ? readSettingsFile(homePath(path)) : NO_FILE,
  process.env
)

/**
 * Declares a section and returns its values, resolved from `SETTINGS_FILE` and the environment, as a frozen object. The
 * settings provider reports all problems and stops the start; invalid values are replaced by their defaults until then.
 *
 * @throws Error if a section or variable is declared twice
 */
export function defineSettings<const D extends Declarations>(
  section: string,
  declarations: D
): Values<D> {
  const declared = declare(section, declarations)
  const resolution = resolveSettings(declared, registry.file, registry.environment)
  registry.add(section, resolution)
  const resolved = new Map(resolution.settings.map((entry) => [entry.key, entry]))
  return nest(section, declarations, (key) => {
    const entry = resolved.get(key)!
    return () => entry.value
  })
}
