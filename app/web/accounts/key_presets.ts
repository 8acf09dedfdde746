import { DEFAULT_KEY_VALUES, wordsOf, type KeyValues } from '#web/accounts/key_form'

/** Common purposes of keys. They fill the form only. */
export const KEY_PRESETS = ['acme', 'dyndns', 'external_dns', 'monitoring'] as const
export type KeyPreset = (typeof KEY_PRESETS)[number]

/** The preset of that name, or null. */
export function presetNamed(name: unknown): KeyPreset | null {
  return KEY_PRESETS.find((one) => one === name) ?? null
}

/**
 * Values of a key for a purpose.
 *
 * @param names zones, or for `dyndns` hosts
 * @param title default name of the key
 */
export function presetValues(preset: KeyPreset, names: string, title: string): KeyValues {
  const words = wordsOf(names).map((name) => name.replace(/\.$/, ''))
  const [first] = words
  const name = [title, ...(first === undefined ? [] : [first])].join(' ')
  const zones = words.join('\n')
  switch (preset) {
    case 'acme':
      return {
        ...DEFAULT_KEY_VALUES,
        name,
        zone_scope: 'some',
        zones,
        name_scope: 'some',
        patterns: words
          .flatMap((zone) => [`_acme-challenge.${zone} TXT`, `_acme-challenge.**.${zone} TXT`])
          .join('\n'),
      }
    case 'dyndns':
      return {
        ...DEFAULT_KEY_VALUES,
        name,
        name_scope: 'some',
        patterns: words.map((host) => `${host} A,AAAA`).join('\n'),
      }
    case 'external_dns':
      return { ...DEFAULT_KEY_VALUES, name, zone_scope: 'some', zones }
    case 'monitoring':
      return {
        ...DEFAULT_KEY_VALUES,
        name,
        access: 'read',
        zone_scope: words.length > 0 ? 'some' : 'all',
        zones,
      }
  }
}
