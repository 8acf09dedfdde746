import { fileEntries, sectionsOf } from '#settings/file_keys'
import { nearest } from '#settings/nearest'
import { show, showKey } from '#settings/show'
import type { DeclaredSetting } from '#settings/declarations'
import type { Environment } from '#settings/resolve'
import type { SettingsFile } from '#settings/settings_file'

/** Names shorter than this may differ by one edit only: DNS_URL is not a misspelt DNS_TTL. */
const MIN_NAME_LENGTH = 5

/**
 * Reports unknown keys of the settings file, one line each. Omits their values, because a misspelt
 * key can contain a secret.
 */
export function unknownKeys(declared: readonly DeclaredSetting[], file: SettingsFile): string[] {
  const keys = declared.map(({ key }) => key)
  const known = new Set(keys)
  const sections = sectionsOf(declared)
  return fileEntries(file.values, declared)
    .filter(({ key }) => !known.has(key))
    .map(({ key, value }) => {
      if (sections.has(key)) {
        const found = show(Array.isArray(value) ? [] : value)
        return `${key}: found ${found} in ${file.path}, allowed: an object with ${inside(key, keys)}`
      }
      const slip = nearest(key, keys)
      const hint = slip ? ` (did you mean ${slip}?)` : ''
      const allowed = inside(parentOf(key, sections), keys)
      return `${showKey(key)}: found an unknown key in ${file.path}${hint}, allowed: ${allowed}`
    })
}

/**
 * Reports variables that look like misspelt settings: with the prefix of the section, and at most
 * two edits (one for short names). Other variables belong to other programs.
 */
export function nearMisses(
  declared: readonly DeclaredSetting[],
  environment: Environment
): string[] {
  const known = new Set(declared.map(({ variable }) => variable))
  const sections = Map.groupBy(declared, ({ section }) => `${section.toUpperCase()}_`)
  const problems: string[] = []
  for (const name of Object.keys(environment)) {
    if (known.has(name) || environment[name] === undefined) continue
    for (const [prefix, settings] of sections) {
      if (!name.startsWith(prefix)) continue
      const remainingLength = name.length - prefix.length
      const variables = settings.map(({ variable }) => variable)
      const slip = nearest(name, variables, remainingLength < MIN_NAME_LENGTH ? 1 : 2)
      if (!slip || withoutDigits(slip) === withoutDigits(name)) continue
      problems.push(`${name}: found an unknown variable in the environment, allowed: ${slip}`)
      break
    }
  }
  return problems
}

/** Names that differ only in a number are not reported: DNS_NS3 is no misspelt DNS_NS1. */
function withoutDigits(name: string): string {
  return name.replace(/\d/g, '')
}

/** Returns the section of an unknown key; undefined if the section is unknown, too. */
function parentOf(key: string, sections: ReadonlySet<string>): string {
  let parent = key
  do parent = parent.slice(0, Math.max(parent.lastIndexOf('.'), 0))
  while (parent && !sections.has(parent))
  return parent
}

/** Returns the allowed keys; without a section, the allowed sections. */
function inside(section: string, keys: readonly string[]): string {
  if (!section) return `sections ${[...new Set(keys.map((key) => key.split('.')[0]))].join(', ')}`
  return keys.filter((key) => key.startsWith(`${section}.`)).join(', ')
}
