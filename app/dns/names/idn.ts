import { domainToUnicode } from 'node:url'
import { InvalidDns } from '#dns/errors'
import { foldLabels, isPrintableAscii, LabelProblem } from '#dns/names/labels'
import { labelsOf } from '#dns/names/name_tree'
import { SCRIPTS, SCRIPT_MIXES } from '#dns/names/scripts'

const PREFIX = 'xn--'
const OTHER_SCRIPT = 'other'
const testers = SCRIPTS.map((script) => ({
  script,
  pattern: new RegExp(`^\\p{Script=${script}}$`, 'u'),
}))

/**
 * Returns the Unicode form of a canonical name (UTS 46). Labels without punycode, or without a
 * round trip, stay unchanged.
 *
 * `mixedScript` is true if a label mixes unrelated scripts (UTS 39, 5.2), such as "раypal" with
 * Cyrillic letters: the name may imitate another.
 */
export function toUnicode(name: string): { text: string; mixedScript: boolean } {
  const labels = labelsOf(name).map(unicodeLabel)
  return { text: labels.join('.'), mixedScript: labels.some(isMixed) }
}

/**
 * Returns the lower-case ASCII form of a name: IDN labels as punycode (UTS 46), without final dot.
 * Does not validate other labels.
 *
 * @throws InvalidDns on 'name' for an invalid IDN label
 */
export function toAscii(text: string): string {
  try {
    return foldLabels(text).labels.join('.')
  } catch (error) {
    if (!(error instanceof LabelProblem)) throw error
    throw new InvalidDns('name', text, 'a name of letters, digits, "-" and "_" (UTS 46)', {
      problem: error.message,
    })
  }
}

/** Returns part of a name as typed and, if different, with IDN labels as punycode. */
export function spellingsOf(part: string): string[] {
  if (isPrintableAscii(part)) return [part]
  try {
    // A soft hyphen becomes an empty text, which would match every name.
    return [part, toAscii(part)].filter((text) => text !== '')
  } catch (error) {
    if (!(error instanceof InvalidDns)) throw error
    // No name can contain it.
    return [part]
  }
}

function unicodeLabel(label: string): string {
  if (!label.startsWith(PREFIX)) return label
  const unicode = domainToUnicode(`${label}.test`)
  if (!unicode.endsWith('.test')) return label
  const text = unicode.slice(0, -'.test'.length)
  try {
    const { labels } = foldLabels(text)
    return labels.length === 1 && labels[0] === label ? text : label
  } catch (error) {
    if (error instanceof LabelProblem) return label
    throw error
  }
}

function isMixed(label: string): boolean {
  if (isPrintableAscii(label)) return false
  const scripts = new Set(Array.from(label, scriptOf))
  scripts.delete(undefined)
  if (scripts.size <= 1) return false
  return !SCRIPT_MIXES.some((mix) => [...scripts].every((script) => mix.includes(script!)))
}

/** Returns undefined for characters of all scripts, such as digits, "-" and accents. */
function scriptOf(character: string): string | undefined {
  if (/^[\p{Script=Common}\p{Script=Inherited}]$/u.test(character)) return undefined
  return testers.find(({ pattern }) => pattern.test(character))?.script ?? OTHER_SCRIPT
}
