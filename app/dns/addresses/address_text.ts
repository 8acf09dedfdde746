import { InvalidDns } from '#dns/errors'
import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printIpv6 } from '#dns/addresses/ipv6'

const IPV4 = 'four numbers from 0 to 255, separated by dots (RFC 1035)'
const IPV6 =
  'eight groups of hexadecimal digits, separated by colons, with "::" for one run of zeros (RFC 4291)'

/**
 * Returns the canonical form of an IPv4 address.
 *
 * @throws InvalidDns on `field`
 */
export function ipv4(text: string, field = 'content'): string {
  const octets = parseIpv4(text)
  if (octets) return printIpv4(octets)
  throw new InvalidDns(field, text, IPV4, { problem: 'is not an IPv4 address' })
}

/**
 * Returns the canonical form of an IPv6 address (RFC 5952).
 *
 * @throws InvalidDns on `field`
 */
export function ipv6(text: string, field = 'content'): string {
  const groups = parseIpv6(text)
  if (groups) return printIpv6(groups)
  throw new InvalidDns(field, text, IPV6, { problem: 'is not an IPv6 address' })
}

/** Returns whether `ipv4()` accepts the text. */
export function isIpv4(text: string): boolean {
  return parseIpv4(text) !== undefined
}

/** Returns whether `ipv6()` accepts the text. */
export function isIpv6(text: string): boolean {
  return parseIpv6(text) !== undefined
}

/** Returns whether the text is an IPv4 or IPv6 address, without port and brackets. */
export function isAddress(text: string): boolean {
  return isIpv4(text) || isIpv6(text)
}

/**
 * Returns the owner name of the PTR record for an address: octets under in-addr.arpa (RFC 1035, 3.5) or nibbles under ip6.arpa
 * (RFC 3596, 2.5).
 *
 * @throws InvalidDns on 'address'
 */
export function reverseName(address: string): string {
  const octets = parseIpv4(address)
  if (octets) return `${octets.toReversed().join('.')}.in-addr.arpa`
  const groups = parseIpv6(address)
  if (!groups) throw new InvalidDns('address', address, 'an IPv4 or IPv6 address')
  const nibbles = groups.flatMap((group) => [...group.toString(16).padStart(4, '0')])
  return `${nibbles.reverse().join('.')}.ip6.arpa`
}

/**
 * Returns the canonical form of the address of a primary: `192.0.2.1`, `192.0.2.1:5300`, `2001:db8::1` or
 * `[2001:db8::1]:5300`. Without brackets, all colons belong to the address.
 *
 * @throws InvalidDns on 'master'
 */
export function parsePrimary(text: string): string {
  const { host, port } = splitPort(text)
  const v4 = parseIpv4(host)
  const v6 = text.startsWith('[') || port === undefined ? parseIpv6(host) : undefined
  const bracketed = text.startsWith('[') && !v6
  const wrongPort = port !== undefined && !(/^\d{1,5}$/.test(port) && isPort(Number(port)))
  if ((!v4 && !v6) || bracketed || wrongPort) {
    throw new InvalidDns('master', text, 'an address, "address:port" or "[IPv6 address]:port"', {
      problem: `is not the address of a server (Invalid IP address: ${text.slice(0, 100)})`,
    })
  }
  const address = v4 ? printIpv4(v4) : printIpv6(v6!)
  if (port === undefined) return address
  return `${v4 ? address : `[${address}]`}:${Number(port)}`
}

function splitPort(text: string): { host: string; port?: string } {
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    const rest = text.slice(end + 1)
    if (end < 0 || (rest !== '' && !rest.startsWith(':'))) return { host: '' }
    return { host: text.slice(1, end), port: rest === '' ? undefined : rest.slice(1) }
  }
  const [host, port, more] = text.split(':', 3)
  return port === undefined || more !== undefined ? { host: text } : { host, port }
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65535
}
