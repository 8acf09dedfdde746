import { InvalidDns } from '#dns/errors'
import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printIpv6 } from '#dns/addresses/ipv6'

const V4 = '.in-addr.arpa'
const V6 = '.ip6.arpa'
const PREFIXES4 =
  'a prefix of /8, /16, /24, or /25 to /31 (RFC 2317) for IPv4, and of /4, /8, ... /124 for IPv6'
const ALLOWED = `a network such as 192.0.2.0/24, 192.0.2, 2001:db8::/32 or 2001:db8, with ${PREFIXES4}`

/** The bits of an address, and the number of network bits. */
interface Network {
  /** Octets of an IPv4 address, nibbles of an IPv6 address. */
  parts: number[]
  prefix: number
  version: 4 | 6
}

/**
 * Returns the name of the reverse zone of a network: octets under in-addr.arpa, the classless form `0/25` (RFC 2317) for
 * networks smaller than /24, nibbles under ip6.arpa. The network is an address with a prefix, or leading octets or groups.
 *
 * @throws InvalidDns on 'network', also for a prefix without a reverse zone, and for bits after the prefix
 */
export function reverseZoneOf(network: string): string {
  const { parts, prefix, version } = parseNetwork(network)
  if (version === 6) {
    return `${[...hexDigits(parts.slice(0, prefix / 4))].reverse().join('.')}${V6}`
  }
  const octets = parts
    .slice(0, Math.floor(prefix / 8))
    .reverse()
    .join('.')
  return prefix > 24 ? `${parts[3]}/${prefix}.${octets}${V4}` : `${octets}${V4}`
}

/** Returns the network of a reverse zone; null for other names. The name of a single address is a /32 or /128. */
export function networkOf(reverseZone: string): { cidr: string } | null {
  const name = reverseZone.toLowerCase()
  if (name.endsWith(V6)) {
    const nibbles = nibblesOf(name)
    return nibbles ? { cidr: `${printNibbles(nibbles)}/${nibbles.length * 4}` } : null
  }
  if (!name.endsWith(V4)) return null
  const labels = name.slice(0, -V4.length).split('.').reverse()
  const [last, prefix, more] = labels[labels.length - 1].split('/')
  const classless = prefix !== undefined
  const octets = parseIpv4(
    [...labels.slice(0, -1), last, ...Array(4).fill('0')].slice(0, 4).join('.')
  )
  if (!octets || labels.length > 4 || more !== undefined) return null
  if (classless && !isClassless(labels.length, last, prefix)) return null
  return { cidr: `${printIpv4(octets)}/${classless ? prefix : labels.length * 8}` }
}

/**
 * Returns the text that all addresses of a network start with (RFC 5952): '192.0.2.' for 192.0.2.0/24. Returns '' for an
 * invalid network, or if they share no text. Addresses of other networks may start with it, too.
 */
export function addressText(cidr: string): string {
  const [address, prefix] = cidr.split('/')
  const octets = parseIpv4(address)
  if (octets) {
    const bits = prefix === undefined ? 32 : Number(prefix)
    const networkParts = octets.slice(0, Math.floor(bits / 8))
    return networkParts.length === 4
      ? printIpv4(octets)
      : networkParts.map((octet) => `${octet}.`).join('')
  }
  const groups = parseIpv6(address)
  if (!groups) return ''
  const bits = prefix === undefined ? 128 : Number(prefix)
  const networkParts = groups.slice(0, Math.floor(bits / 16))
  if (networkParts.length === 8) return printIpv6(groups)
  // The text after the first zero group depends on the rest of the address.
  const end = networkParts.indexOf(0)
  const parts = end === -1 ? networkParts : networkParts.slice(0, end)
  return parts.map((group) => `${group.toString(16)}:`).join('')
}

/** Returns the address of a PTR owner name, also in a classless zone (`1.0/25.2.0.192.in-addr.arpa`); null for other names. */
export function addressOf(reverseName: string): string | null {
  const name = reverseName.toLowerCase()
  if (name.endsWith(V6)) {
    const nibbles = nibblesOf(name)
    return nibbles?.length === 32 ? printNibbles(nibbles) : null
  }
  if (!name.endsWith(V4)) return null
  const [host, ...labels] = name.slice(0, -V4.length).split('.')
  if (labels.length === 4) {
    const [first, prefix, more] = labels.shift()!.split('/')
    if (prefix === undefined || more !== undefined) return null
    if (!isClassless(4, first, prefix) || !/^\d{1,3}$/.test(host)) return null
    const size = 2 ** (32 - Number(prefix))
    if (Number(host) < Number(first) || Number(host) >= Number(first) + size) return null
  }
  const octets = parseIpv4([host, ...labels].reverse().join('.'))
  return octets ? printIpv4(octets) : null
}

/**
 * Returns the names that the PTR record of an IPv4 address can have in classless zones (RFC 2317), smallest network first:
 * `10.8/29.2.0.192.in-addr.arpa`, also with `8-15` and `8-29`. Empty for other names.
 */
export function classlessNames(reverseName: string): string[] {
  const [host, ...network] = reverseName.slice(0, -V4.length).split('.')
  if (!reverseName.endsWith(V4) || network.length !== 3 || !/^\d{1,3}$/.test(host)) return []
  return [31, 30, 29, 28, 27, 26, 25].flatMap((prefix) => {
    const size = 2 ** (32 - prefix)
    const first = Number(host) - (Number(host) % size)
    const labels = [`${first}/${prefix}`, `${first}-${first + size - 1}`, `${first}-${prefix}`]
    return labels.map((label) => `${host}.${label}.${network.join('.')}${V4}`)
  })
}

function parseNetwork(text: string): Network {
  const refusal = (problem: string, allowed = ALLOWED) =>
    new InvalidDns('network', text, allowed, { problem })
  const [address, prefixText, more] = text.split('/')
  const network = prefixText === undefined ? parsePartial(text) : parseAddress(address)
  const wellFormed = prefixText === undefined || /^(0|[1-9]\d{0,2})$/.test(prefixText)
  if (!network || !wellFormed || more !== undefined) throw refusal('is not a network')
  const prefix = prefixText === undefined ? network.prefix : Number(prefixText)
  const { parts, version } = network
  const isZone =
    version === 6
      ? prefix > 0 && prefix < 128 && prefix % 4 === 0
      : [8, 16, 24].includes(prefix) || (prefix > 24 && prefix < 32)
  if (!isZone)
    throw refusal(
      `has the prefix /${prefix}, which does not match a single reverse zone`,
      PREFIXES4
    )
  const bits = version === 6 ? 4 : 8
  const masked = parts.map((part, position) => part & mask(prefix - position * bits, bits))
  if (masked.some((part, position) => part !== parts[position])) {
    const start = version === 6 ? printNibbles(masked) : printIpv4(masked)
    throw refusal('has bits set beyond its prefix', `${start}/${prefix}`)
  }
  return { parts, prefix, version }
}

function parseAddress(text: string): Network | undefined {
  const octets = parseIpv4(text)
  if (octets) return { parts: octets, prefix: 32, version: 4 }
  const groups = parseIpv6(text)
  return groups && { parts: groups.flatMap(nibblesOfGroup), prefix: 128, version: 6 }
}

/** Parses the leading octets or groups of an address; a separator may follow. */
function parsePartial(text: string): Network | undefined {
  if (text.includes('::')) return parseAddress(text)
  const separator = text.includes(':') ? ':' : '.'
  const prefix = text.endsWith(separator) ? text.slice(0, -1) : text
  const count = prefix.split(separator).length
  const zeros = Array(Math.max(0, (separator === ':' ? 8 : 4) - count)).fill('0')
  const network = parseAddress([prefix, ...zeros].join(separator))
  return network && { ...network, prefix: count * (separator === ':' ? 16 : 8) }
}

/** Returns a mask of the leading bits of a part with `size` bits. */
function mask(bits: number, size: number): number {
  const set = Math.max(0, Math.min(size, bits))
  return (2 ** set - 1) * 2 ** (size - set)
}

function isClassless(labels: number, first: string, prefix: string): boolean {
  if (labels !== 4 || !/^\d{1,3}$/.test(first) || !/^(2[5-9]|3[01])$/.test(prefix)) return false
  return Number(first) % 2 ** (32 - Number(prefix)) === 0
}

/** Returns the nibbles of a reverse name, in the order of the address. */
function nibblesOf(name: string): number[] | undefined {
  const labels = name.slice(0, -V6.length).split('.').reverse()
  if (labels.length > 32 || !labels.every((label) => /^[0-9a-f]$/.test(label))) return undefined
  return labels.map((label) => Number.parseInt(label, 16))
}

function printNibbles(nibbles: number[]): string {
  const digits = hexDigits(nibbles).padEnd(32, '0')
  return printIpv6(
    Array.from({ length: 8 }, (_, position) =>
      Number.parseInt(digits.slice(position * 4, position * 4 + 4), 16)
    )
  )
}

function nibblesOfGroup(group: number): number[] {
  return [group >> 12, (group >> 8) & 15, (group >> 4) & 15, group & 15]
}

function hexDigits(nibbles: number[]): string {
  return nibbles.map((nibble) => nibble.toString(16)).join('')
}
