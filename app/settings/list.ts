import { mask } from '#settings/show'
import type { ResolvedSetting } from '#settings/resolve'

/** A setting as `settings:list --json` prints it; secrets are masked. */
export type ListedSetting = {
  key: string
  value: unknown
  default: unknown
  /** `default`, `file <path>` or `environment <VARIABLE>`. */
  source: string
  variable: string
  type: string
  allowed: string
  help: string
}

/** Describes resolved settings for `settings:list`. */
export function listSettings(settings: readonly ResolvedSetting[]): ListedSetting[] {
  return settings.map(({ key, value, source, variable, setting }) => ({
    key,
    value: setting.secret ? mask(value) : value,
    default: setting.secret ? mask(setting.fallback) : setting.fallback,
    source,
    variable,
    type: setting.type,
    allowed: setting.allowed,
    help: setting.help,
  }))
}

/**
 * Prints settings as aligned columns (key, value, source) under a heading. Texts are unquoted;
 * lists and null are JSON.
 */
export function settingsTable(settings: readonly ListedSetting[]): string {
  const rows = [
    ['KEY', 'VALUE', 'SOURCE'],
    ...settings.map(({ key, value, source }) => [key, printValue(value), source]),
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map(
      ([key, value, source]) => `${key.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${source}`
    )
    .join('\n')
}

/** Prints a value: texts unquoted, other values as JSON. */
export function printValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
