import { declare } from '#settings/declarations'
import { SettingsRegistry } from '#settings/registry'
import { resolveSettings } from '#settings/resolve'
import type { Setting } from '#settings/setting'
import type { Declarations } from '#settings/declarations'
import type { Environment } from '#settings/resolve'

export type Sources = { file?: unknown; env?: Environment }

/** Resolves a section `demo` from given sources, without a file on disk. */
export function resolveDemo(declarations: Declarations, { file, env = {} }: Sources = {}) {
  const values = (file ?? {}) as Record<string, unknown>
  return resolveSettings(
    declare('demo', declarations),
    { path: '/etc/zw.json', values, problems: [] },
    env
  )
}

/** Returns the value of a single setting `demo.it`, or its problem. */
export function resolveOne(setting: Setting<unknown>, sources: Sources): unknown {
  const { settings, problems } = resolveDemo({ it: setting }, sources)
  return problems.length > 0 ? problems.join('\n') : settings[0].value
}

/** Returns the value of `demo.it` from the settings file, or the problem. */
export function fromFile(setting: Setting<unknown>, value: unknown): unknown {
  return resolveOne(setting, { file: { demo: { it: value } } })
}

/** Returns the value of `demo.it` from the variable DEMO_IT, or the problem. */
export function fromEnv(setting: Setting<unknown>, text: string): unknown {
  return resolveOne(setting, { env: { DEMO_IT: text } })
}

/** Returns a registry with some sections, as the boot creates it. */
export function registryOf(sections: Record<string, Declarations>, sources: Sources = {}) {
  const { file = {}, env = {} } = sources
  const values = file as Record<string, unknown>
  const settingsFile = { path: '/etc/zw.json', values, problems: [] }
  const registry = new SettingsRegistry(settingsFile, env)
  for (const [section, declarations] of Object.entries(sections)) {
    registry.add(section, resolveSettings(declare(section, declarations), settingsFile, env))
  }
  return registry
}
