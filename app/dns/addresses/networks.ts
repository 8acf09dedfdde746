import { InvalidDns } from '#dns/errors'
import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printIpv6 } from '#dns/addresses/ipv6'

/** A range of addresses of one family: all whose first `prefix` bits equal those of `parts`. */
export interface Network {
  /** Four 8-bit or eight 16-bit numbers; bits after the prefix are 0. */
  parts: readonly number[]
  /** Number of leading bits, 0 to 32 or 0 to 128. */
  prefix: number
}

/** Prefix length of one IPv6 client: a client usually has a whole /64. */
const CLIENT_PREFIX = 64

/** Prefix length of the IPv4 networks that share a turn. */
const FAIRNESS_PREFIX = 24

/** `::ffff:0:0/96`: IPv4 addresses in IPv6 form (RFC 4291, 2.5.5.2). */
const MAPPED_PREFIX = 96

/** Description of the forms that `parseNetwork` accepts. */
export const NETWORK_FORMS =
  'an address (192.0.2.1, 2001:db8::1), a network (192.0.2.0/24, 2001:db8::/32), or the start of an address and a star, such as 192.0.2.*'

const CIDR_FORMS =
  'an address or a network with its prefix length, such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32'

/**
 * Parses an address, a network with its prefix length (RFC 4632; RFC 4291, 2.3), or leading octets or groups with `*` for the
 * rest. IPv4-mapped IPv6 counts as IPv4. Returns undefined for other texts.
 */
export function parseNetwork(text: string): Network | undefined {
  const starred = /^((?:[^*]+[.:])?)\*((?:\.\*)*)$/.exec(text)
  return starred ? withStars(starred[1], 1 + starred[2].length / '.*'.length) : withPrefix(text)
}

/** Parses the texts and skips invalid ones. */
export function parseNetworks(texts: readonly string[]): Network[] {
  return texts.flatMap((text) => parseNetwork(text) ?? [])
}

/**
 * Returns the canonical text of an address or network, with its prefix length: `192.0.2.0/24`, `2001:db8::/32`. A single
 * address gets /32 or /128. Clears bits after the prefix; IPv4-mapped IPv6 becomes IPv4.
 *
 * @throws InvalidDns on `field`
 */
export function cidr(text: string, field = 'networks'): string {
  const network = withPrefix(text)
  if (!network) throw new InvalidDns(field, text, CIDR_FORMS, { problem: 'is not a network' })
  return `${print(network.parts)}/${network.prefix}`
}

/**
 * Returns whether an address is in one of the networks; false for an invalid address. An IPv4-mapped IPv6 address, the form of
 * dual-stack sockets, counts as IPv4. The zone id of `fe80::1%eth0` (RFC 4007) is ignored.
 */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const host = hostOf(address)
  return host !== undefined && networks.some((network) => networkCovers(network, host))
}

/** Returns whether the outer network contains all addresses of the inner one. */
export function networkCovers(outer: Network, inner: Network): boolean {
  return (
    outer.parts.length === inner.parts.length &&
    outer.prefix <= inner.prefix &&
    cleared(inner.parts, outer.prefix).every((part, index) => part === outer.parts[index])
  )
}

/**
 * Returns the canonical network that counts as one client: an IPv4 address, or the /64 of an IPv6 address
 * (`2001:db8:1:2::/64`). Returns an invalid address unchanged.
 */
export function clientNetwork(address: string): string {
  const host = hostOf(address)
  if (!host) return address
  if (host.parts.length === 4) return print(host.parts)
  return `${print(cleared(host.parts, CLIENT_PREFIX))}/${CLIENT_PREFIX}`
}

/**
 * Returns the network whose clients share a turn: the /24 of an IPv4 address, the /64 of an IPv6 address. Returns an invalid
 * address unchanged.
 */
export function fairnessNetworkOf(address: string): string {
  const host = hostOf(address)
  if (!host) return address
  const prefix = host.parts.length === 4 ? FAIRNESS_PREFIX : CLIENT_PREFIX
  return `${print(cleared(host.parts, prefix))}/${prefix}`
}

/** Returns the network of one address of a connection, which may have a zone id. */
function hostOf(address: string): Network | undefined {
  const [host, ...zoneIds] = address.split('%')
  return zoneIds.length > 1 || host.includes('/') ? undefined : withPrefix(host)
}

function withPrefix(text: string): Network | undefined {
  const [address, length, ...more] = text.split('/')
  const parts = parseIpv4(address) ?? parseIpv6(address)
  if (!parts || more.length > 0) return undefined
  const bits = parts.length === 4 ? 32 : 128
  if (length === undefined) return networkOf(parts, bits)
  const prefix = /^(0|[1-9]\d{0,2})$/.test(length) ? Number(length) : bits + 1
  return prefix <= bits ? networkOf(parts, prefix) : undefined
}

/** Parses leading parts such as `192.0.2.` or `2001:db8:`, and the number of stars after them. */
function withStars(leading: string, stars: number): Network | undefined {
  const isV6 = leading.endsWith(':')
  const givenParts = leading.slice(0, -1).split(isV6 ? ':' : '.')
  const missing = (isV6 ? 8 : 4) - givenParts.length
  // One star represents all missing parts.
  if (givenParts.includes('') || missing < 1 || (stars > 1 && (isV6 || stars !== missing)))
    return undefined
  const zeros = Array<string>(missing).fill('0')
  const parts = isV6
    ? parseIpv6([...givenParts, ...zeros].join(':'))
    : parseIpv4([...givenParts, ...zeros].join('.'))
  return parts && networkOf(parts, givenParts.length * (isV6 ? 16 : 8))
}

function networkOf(parts: readonly number[], prefix: number): Network {
  const isMapped =
    prefix >= MAPPED_PREFIX && parts[5] === 0xffff && parts.slice(0, 5).every((part) => part === 0)
  if (!isMapped) return { parts: cleared(parts, prefix), prefix }
  const octets = [parts[6] >> 8, parts[6] & 255, parts[7] >> 8, parts[7] & 255]
  return networkOf(octets, prefix - MAPPED_PREFIX)
}

/** Sets all bits after the prefix to 0. */
function cleared(parts: readonly number[], prefix: number): number[] {
  const width = parts.length === 4 ? 8 : 16
  return parts.map((part, index) => {
    const free = Math.min(width, Math.max(0, (index + 1) * width - prefix))
    return (part >> free) << free
  })
}

function print(parts: readonly number[]): string {
  return parts.length === 4 ? printIpv4([...parts]) : printIpv6([...parts])
}
