import { InvalidDns } from '#dns/errors'
import { foldLabels } from '#dns/labels'
import { hostName, isWithin } from '#dns/names'

/* Names as zone files write them. An origin is canonical; '' is the root. */

const FINAL_DOT = /[.\u3002\uff0e\uff61]$/

/**
 * The absolute form, with final dot, of a name that may be relative to the origin, "@", or escaped.
 * Escapes that stand for no character of a name are left for the check of the name to refuse.
 */
export function completeName(text: string, origin: string): string {
  if (text === '@') return `${origin}.`
  const name = text.includes('\\') ? unescaped(text) : text
  return complete(name, origin)
}

/** As completeName(), for the host form of a mailbox, whose escapes stay; `user@domain` stays as it is. */
export function completeMailbox(text: string, origin: string): string {
  if (text === '@') return `${origin}.`
  return text.includes('@') ? text : complete(text, origin)
}

/**
 * The origin that a `$ORIGIN` sets.
 *
 * @throws InvalidDns on 'origin'
 */
export function readOrigin(text: string, origin: string): string {
  const name = completeName(text, origin)
  return name === '.' ? '' : hostName(name, 'origin')
}

/** Whether a relative name ends in the origin as if it were absolute: its final dot was forgotten. */
export function lacksDot(text: string, origin: string): boolean {
  if (origin === '' || text.length < origin.length || FINAL_DOT.test(text)) return false
  return isWithin(text.toLowerCase(), origin)
}

/** Whether a name that was refused is a good one, but of another zone. */
export function isOutside(name: string, apex: string): boolean {
  try {
    if (name !== '.') hostName(name.replace(/^\*\./, ''))
    return name === '.' || !isWithin(foldLabels(name).labels.join('.'), apex)
  } catch (error) {
    if (error instanceof InvalidDns) return false
    throw error
  }
}

function complete(name: string, origin: string): string {
  if (FINAL_DOT.test(name)) return name
  return origin === '' ? `${name}.` : `${name}.${origin}.`
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{3}|[^\d])/g, (escape, what: string) => {
    const code = what.length === 3 ? Number(what) : what.charCodeAt(0)
    const character = String.fromCharCode(code)
    // Nobody needs an escape for a letter or digit; \052 is how some tools write "*", in octal.
    if (what.length === 3 && /[a-z0-9]/i.test(character)) return escape
    return code > 0x20 && code < 0x7f && !'.\\'.includes(character) ? character : escape
  })
}
