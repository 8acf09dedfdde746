import { InvalidDns } from '#dns/errors'
import { foldLabels } from '#dns/names/labels'
import { hostName, isWithin } from '#dns/names'

/** Names in the format of zone files. An origin is canonical; '' is the root. */

const DOT = /[.\u3002\uff0e\uff61]$/
const UNESCAPED_DOT = /^(?:[^\\]|\\[^])*?[.\u3002\uff0e\uff61]$/
const PLAIN = /^[a-z0-9_*/:.-]*$/i

/**
 * Returns the absolute form, with final dot, of a name that may be relative, "@", or escaped. Escapes stay unchanged; the
 * validation of names decodes them.
 */
export function completeName(text: string, origin: string): string {
  if (text === '@') return `${origin}.`
  return complete(text, origin)
}

/** As `completeName`, for the host form of a mailbox; `user@domain` stays unchanged. */
export function completeMailbox(text: string, origin: string): string {
  if (text === '@') return `${origin}.`
  return text.includes('@') ? text : complete(text, origin)
}

/**
 * Returns the origin that a `$ORIGIN` sets.
 *
 * @throws InvalidDns on 'origin'
 */
export function readOrigin(text: string, origin: string): string {
  const name = completeName(text, origin)
  return name === '.' ? '' : hostName(name, 'origin')
}

/** Returns whether a relative name ends with the origin, as an absolute name without its final dot would. */
export function lacksDot(text: string, origin: string): boolean {
  if (origin === '' || text.length < origin.length || endsInDot(text)) return false
  return isWithin(text.toLowerCase(), origin)
}

/** Returns whether a refused name is valid, but outside the zone. */
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

/** Returns whether the name ends with a dot that is not escaped. */
export function endsInDot(name: string): boolean {
  return DOT.test(name) && (!name.includes('\\') || UNESCAPED_DOT.test(name))
}

/**
 * Returns a stored name in the format of zone files (RFC 1035, 5.1): escapes special characters, and leaves existing escapes
 * unchanged.
 */
export function escapedName(name: string): string {
  if (PLAIN.test(name)) return name
  return name.replace(/\\(?:\d{3}|\D)|[^a-z0-9_*/:.-]/giu, (sign) => {
    if (sign.length > 1 && sign.startsWith('\\')) return sign
    if (/^[!-~]$/.test(sign)) return `\\${sign}`
    return Array.from(Buffer.from(sign), (byte) => `\\${String(byte).padStart(3, '0')}`).join('')
  })
}
