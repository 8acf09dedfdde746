import { toUnicode } from '#dns/names/idn'
import { relativeName } from '#dns/names'

/** Display form of a name. */
export interface DisplayName {
  /** In Unicode. */
  text: string
  /** The ASCII form, if it differs. */
  ascii: string | null
  /** Some letters may be confusable with others. */
  isMixed: boolean
}

/** An absolute name. */
export function displayName(name: string): DisplayName {
  const { text, mixedScript } = toUnicode(name)
  return { text, ascii: text === name ? null : name, isMixed: mixedScript }
}

/** An owner name, relative to its zone. */
export function shownOwner(name: string, apex: string): DisplayName {
  return displayName(relativeName(name, apex))
}
