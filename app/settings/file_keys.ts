import { isObject } from '#settings/settings_file'
import type { DeclaredSetting } from '#settings/declarations'

/** A key of the settings file in dotted form; the file may nest it. */
export type FileEntry = { key: string; value: unknown }

/**
 * Lists the entries of a settings file by dotted keys. Descends into objects up to a declared key. An empty object is an
 * entry, unless it is a known section.
 */
export function fileEntries(
  values: Readonly<Record<string, unknown>>,
  declared: readonly DeclaredSetting[]
): FileEntry[] {
  const known = new Set(declared.map(({ key }) => key))
  const sections = sectionsOf(declared)
  const enter = (node: Readonly<Record<string, unknown>>, path: string): FileEntry[] =>
    Object.entries(node).flatMap(([name, value]) => {
      const key = path + name
      if (known.has(key) || !isObject(value)) return [{ key, value }]
      if (Object.keys(value).length === 0) return sections.has(key) ? [] : [{ key, value }]
      return enter(value, `${key}.`)
    })
  return enter(values, '')
}

/** Returns all sections and subsections, such as `security` and `security.account_lockout`. */
export function sectionsOf(declared: readonly DeclaredSetting[]): Set<string> {
  const sections = new Set<string>()
  for (const { key } of declared) {
    const parts = key.split('.')
    for (let length = 1; length < parts.length; length++) {
      sections.add(parts.slice(0, length).join('.'))
    }
  }
  return sections
}
