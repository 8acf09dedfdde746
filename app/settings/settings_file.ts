import { readFileSync } from 'node:fs'

/** The settings file. `values` is empty if the file is missing or invalid. */
export type SettingsFile = {
  path: string
  values: Readonly<Record<string, unknown>>
  problems: readonly string[]
}

/** Without a settings file, the environment and the defaults apply. */
export const NO_FILE: SettingsFile = { path: '', values: {}, problems: [] }

/**
 * Reads the settings file at an absolute path. Reports a missing, unreadable or invalid file in `problems`, one line each, and
 * does not throw.
 */
export function readSettingsFile(path: string): SettingsFile {
  const broken = (found: string): SettingsFile => ({
    path,
    values: {},
    problems: [`SETTINGS_FILE: ${found} at ${path}, allowed: a readable file with one JSON object`],
  })
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return broken(`no readable file (${codeOf(error)})`)
  }
  try {
    const values: unknown = JSON.parse(text)
    return isObject(values) ? { path, values, problems: [] } : broken('no JSON object')
  } catch (error) {
    return broken(`no valid JSON${errorPosition(error)}`)
  }
}

/** Whether a JSON value is an object with keys (no list, no null). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

/**
 * Only the position: the message of the parser quotes text of the file, which can contain a secret.
 */
function errorPosition(error: unknown): string {
  const hasPosition = error instanceof Error && /line \d+ column \d+/.exec(error.message)
  return hasPosition ? ` (${hasPosition[0]})` : ''
}
