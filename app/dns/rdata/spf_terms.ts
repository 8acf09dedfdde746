import { isIpv4, isIpv6 } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'

const MACRO = /%(?:[%_-]|\{[slodiphcrtv]\d{0,3}r?[.+,/_=-]{0,7}\})/gi
const HOSTS = /^(?::[^/]+)?(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i
const ALLOWED_TERMS =
  'mechanisms (all include a mx ptr ip4 ip6 exists) and modifiers (RFC 7208, 12)'
const SINGLE_MODIFIERS = ['redirect', 'exp']

/** Returns the fault of an SPF policy (RFC 7208, 12): version, then mechanisms and modifiers; undefined for a valid one. */
export function spfFault(text: string): { problem: string; allowed: string } | undefined {
  const [version, ...terms] = text
    .split(' ')
    .filter((term, position) => term !== '' || position === 0)
  if (version.toLowerCase() !== 'v=spf1') {
    const allowed = 'v=spf1 and a space at the start (RFC 7208, 4.5)'
    return { problem: 'does not start with its version', allowed }
  }
  const invalidTerm = terms.find((term) => !isTerm(term.replace(MACRO, 'm')))
  if (invalidTerm !== undefined) {
    const quoted = JSON.stringify(Array.from(invalidTerm).slice(0, 50).join(''))
    return { problem: `has the term ${quoted}`, allowed: ALLOWED_TERMS }
  }
  const modifiers = terms.map((term) => MODIFIER.exec(term)?.[1].toLowerCase())
  const twice = SINGLE_MODIFIERS.find(
    (name) => modifiers.filter((found) => found === name).length > 1
  )
  return twice ? { problem: `has the modifier ${twice} twice`, allowed: ALLOWED_TERMS } : undefined
}

/**
 * Validates an SPF policy that a user creates.
 *
 * @throws InvalidDns on 'content'
 */
export function checkSpf(text: string, content: string): void {
  const fault = spfFault(text)
  if (fault) throw new InvalidDns('content', content, fault.allowed, { problem: fault.problem })
}

function isTerm(termText: string): boolean {
  const modifier = MODIFIER.exec(termText)
  const isRight = modifier ? isModifier(modifier[1], modifier[2]) : isDirective(termText)
  return /^[!-~]+$/.test(termText) && !termText.includes('%') && isRight
}

function isModifier(name: string, value: string): boolean {
  return !SINGLE_MODIFIERS.includes(name.toLowerCase()) || isDomain(value)
}

function isDirective(term: string): boolean {
  const [, name, rest] = /^[+?~-]?([a-z0-9]+)(.*)$/i.exec(term) ?? ['', '', '']
  switch (name.toLowerCase()) {
    case 'all':
      return rest === ''
    case 'include':
    case 'exists':
      return rest.startsWith(':') && isDomain(rest.slice(1))
    case 'a':
    case 'mx':
      return isHosts(rest)
    case 'ptr':
      return rest === '' || (rest.startsWith(':') && isDomain(rest.slice(1)))
    case 'ip4':
      return isNetwork(rest, isIpv4, 32)
    case 'ip6':
      return isNetwork(rest, isIpv6, 128)
    default:
      return false
  }
}

function isDomain(text: string): boolean {
  return text !== '' && !text.includes('/')
}

function isHosts(rest: string): boolean {
  const found = HOSTS.exec(rest)
  return found !== null && Number(found[1] ?? 0) <= 32 && Number(found[2] ?? 0) <= 128
}

function isNetwork(rest: string, isAddress: (text: string) => boolean, limit: number): boolean {
  const [address, prefix = '0', more] = rest.slice(1).split('/')
  const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= limit
  return rest.startsWith(':') && isAddress(address) && isPrefix && more === undefined
}
