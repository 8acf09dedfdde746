import { registry } from '#settings/define'

/** Names of all settings. */
export function settingNames(): string[] {
  return registry.all().map(({ key }) => key)
}

/** What a setting is without being set. */
export function defaultOf(key: string): unknown {
  return found(key).setting.fallback
}

/** What a setting is for the server under test. */
export function valueOf(key: string): unknown {
  return found(key).value
}

function found(key: string) {
  const setting = registry.all().find((one) => one.key === key)
  if (!setting) throw new Error(`There is no setting ${key}`)
  return setting
}
