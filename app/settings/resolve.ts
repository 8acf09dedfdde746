import { fileEntries } from '#settings/file_keys'
import { MASK, show } from '#settings/show'
import type { DeclaredSetting } from '#settings/declarations'
import type { SettingsFile } from '#settings/settings_file'

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A setting with its value and its source: `file <path>` or `environment <VARIABLE>`. */
export type ResolvedSetting = DeclaredSetting & { value: unknown; source: string }

/** The value of every setting, and one line for each invalid value. */
export type Resolution = { settings: ResolvedSetting[]; problems: string[] }

/**
 * Resolves settings: the environment overrides the file, and the file the default. An invalid value is replaced by the default
 * and reported in `problems`; nothing is thrown. Checks values of the file even if the environment overrides them.
 */
export function resolveSettings(
  declared: readonly DeclaredSetting[],
  file: SettingsFile,
  environment: Environment
): Resolution {
  const entriesByKey = Map.groupBy(fileEntries(file.values, declared), ({ key }) => key)
  const problems: string[] = []
  const settings = declared.map((entry) => {
    const { key, variable, setting } = entry
    const resolved: ResolvedSetting = { ...entry, value: setting.fallback, source: 'default' }
    const refuse = (found: unknown, source: string) => {
      const shownValue = setting.secret ? MASK : show(found)
      problems.push(`${key}: found ${shownValue} in ${source}, allowed: ${setting.allowed}`)
    }

    const inFile = entriesByKey.get(key) ?? []
    if (inFile.length > 1) {
      problems.push(`${key}: found ${inFile.length} times in ${file.path}, allowed: once`)
    } else if (inFile.length === 1) {
      const read = setting.fromFile(inFile[0].value)
      if (read) Object.assign(resolved, { value: read.value, source: `file ${file.path}` })
      else refuse(inFile[0].value, file.path)
    }

    const text = environment[variable]
    if (text !== undefined && !(text === '' && setting.emptyIsUnset)) {
      const read = setting.fromEnvironment(text)
      if (read) Object.assign(resolved, { value: read.value, source: `environment ${variable}` })
      else refuse(text, `environment variable ${variable}`)
    }
    return resolved
  })
  return { settings, problems }
}
