import { InvalidDns } from '#dns/errors'
import { foldLabels } from '#dns/names/labels'
import { hostName, isWithin } from '#dns/names'

/* Names as zone files write them. An origin is canonical; '' is the root. */

const DOT = /[.\u3002\uff0e\uff61]$/
const UNESCAPED_DOT = /^(?:[^\\]|\\[^])*?[.\u3002\uff0e\uff61]$/
const PLAIN = /^[a-z0-9_*/:.-]*$/i

/**
 * The absolute form, with final dot, of a name that may be relative to the origin, "@", or escaped.
 * Escapes stay: the check of the name reads them.
 */
export function completeName(text: string, origin: string): string {
  if (text === '@') return `${origin}.`
  return complete(text, origin)
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
  if (origin === '' || text.length < origin.length || endsInDot(text)) return false
  return isWithin(text.toLowerCase(), origin)
}

/** Whether a name that was refused is a good one, but of another zone. */
export function isOutside(name: string, apex: string): boolean {
  try {
    if (name !== '.') hostName(name)
    return name === '.' || !isWithin(foldLabels(name).labels.join('.'), apex)
  } catch (error) {
    if (error instanceof InvalidDns) return false
    throw error
  }
}

function complete(name: string, origin: string): string {
  if (endsInDot(name)) return name
  return origin === '' ? `${name}.` : `${name}.${origin}.`
}

/** Whether the name ends in a dot that is no escaped one. */
export function endsInDot(name: string): boolean {
  return DOT.test(name) && (!name.includes('\\') || UNESCAPED_DOT.test(name))
}

/**
 * A stored name as zone files write it (RFC 1035, 5.1): what has a meaning there gets a backslash. The escapes of
 * stored names stay.
 */
export function escapedName(name: string): string {
  if (PLAIN.test(name)) return name
  return name.replace(/\\(?:\d{3}|\D)|[^a-z0-9_*/:.-]/giu, (sign) => {
    if (sign.length > 1 && sign.startsWith('\\')) return sign
    if (/^[!-~]$/.test(sign)) return `\\${sign}`
    return Array.from(Buffer.from(sign), (byte) => `\\${String(byte).padStart(3, '0')}`).join('')
  })
}
