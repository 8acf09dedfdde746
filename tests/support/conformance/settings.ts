import { registry } from '#settings/define'

/** Returns the names of all settings. */
export function settingNames(): string[] {
  return registry.all().map(({ key }) => key)
}

/** Returns the default of a setting. */
export function defaultOf(key: string): unknown {
  return found(key).setting.fallback
}

/** Returns the value of a setting for the server under test. */
export function valueOf(key: string): unknown {
  return found(key).value
}

function found(key: string) {
  const setting = registry.all().find((one) => one.key === key)
  if (!setting) throw new Error(`There is no setting ${key}`)
  return setting
}
