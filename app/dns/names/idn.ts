import { domainToUnicode } from 'node:url'
import { InvalidDns } from '#dns/errors'
import { foldLabels, isPrintableAscii, LabelProblem } from '#dns/names/labels'
import { labelsOf } from '#dns/names/name_tree'
import { SCRIPTS, SCRIPT_MIXES } from '#dns/names/scripts'

const PREFIX = 'xn--'
const OTHER = 'other'
const testers = SCRIPTS.map((script) => ({
  script,
  pattern: new RegExp(`^\\p{Script=${script}}$`, 'u'),
}))

/**
 * A canonical name for people: its punycode labels in Unicode (UTS 46). A label that is no punycode, or
 * whose Unicode form would be another label again, stays as it is.
 *
 * `mixedScript` is true when letters of one label are of scripts that do not belong together (UTS 39,
 * 5.2), as in "раypal" with Cyrillic letters: such a name may be made to look like another.
 */
export function toUnicode(name: string): { text: string; mixedScript: boolean } {
  const labels = labelsOf(name).map(unicodeLabel)
  return { text: labels.join('.'), mixedScript: labels.some(isMixed) }
}

/**
 * The lower case ASCII form of a name: IDN labels as punycode (UTS 46), without final dot. Other labels
 * are not checked.
 *
 * @throws InvalidDns on 'name' for a label that is no IDN
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

/** A part of a name as people write it, and as names hold it where that is another text: IDN labels as punycode. */
export function spellingsOf(part: string): string[] {
  if (isPrintableAscii(part)) return [part]
  try {
    // Nothing is left of a soft hyphen, and every name would have it.
    return [part, toAscii(part)].filter((text) => text !== '')
  } catch (error) {
    if (!(error instanceof InvalidDns)) throw error
    // No name can have it.
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

/** Undefined for characters of all scripts, such as digits, "-" and accents. */
function scriptOf(character: string): string | undefined {
  if (/^[\p{Script=Common}\p{Script=Inherited}]$/u.test(character)) return undefined
  return testers.find(({ pattern }) => pattern.test(character))?.script ?? OTHER
}
