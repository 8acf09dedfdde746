import { InvalidDns } from '#dns/errors'
import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printIpv6 } from '#dns/addresses/ipv6'

/** A range of addresses of one family: all whose first `prefix` bits are those of `parts`. */
export interface Network {
  /** Four numbers of 8 bits, or eight of 16; bits behind the prefix are 0. */
  parts: readonly number[]
  /** Number of leading bits, 0 to 32 or 0 to 128. */
  prefix: number
}

/** Where an IPv6 network is cut when it stands for one client: who has an address there has them all. */
const CLIENT_PREFIX = 64

/** Where an IPv4 network is cut when its clients take turns together. */
const TURN_PREFIX = 24

/** `::ffff:0:0/96`: IPv4 addresses in IPv6 form (RFC 4291, 2.5.5.2). */
const MAPPED_PREFIX = 96

/** What `parseNetwork` takes, in words. */
export const NETWORK_FORMS =
  'an address (192.0.2.1, 2001:db8::1), a network (192.0.2.0/24, 2001:db8::/32) or the leading parts of one and a star for the rest, such as 192.0.2.*'

const CIDR_FORMS =
  'an address or a network with its prefix length, such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32'

/**
 * A range of addresses: an address, a network with its prefix length (RFC 4632; RFC 4291, 2.3), or leading
 * octets or groups with `*` for the rest. IPv4 in IPv6 form is IPv4. undefined for anything else.
 */
export function parseNetwork(text: string): Network | undefined {
  const starred = /^((?:[^*]+[.:])?)\*((?:\.\*)*)$/.exec(text)
  return starred ? withStars(starred[1], 1 + starred[2].length / '.*'.length) : withPrefix(text)
}

/** Those of the texts that are networks. */
export function parseNetworks(texts: readonly string[]): Network[] {
  return texts.flatMap((text) => parseNetwork(text) ?? [])
}

/**
 * The canonical text of an address or of a network with its prefix length: `192.0.2.0/24`, `2001:db8::/32`.
 * An address alone is a network of one. Bits behind the prefix are cleared; IPv4 in IPv6 form becomes IPv4.
 *
 * @throws InvalidDns on `field`
 */
export function cidr(text: string, field = 'networks'): string {
  const network = withPrefix(text)
  if (!network) throw new InvalidDns(field, text, CIDR_FORMS, { problem: 'is not a network' })
  return `${print(network.parts)}/${network.prefix}`
}

/**
 * Whether an address is in one of the networks. An IPv4-mapped IPv6 address, as dual-stack sockets report it, counts
 * as IPv4. The zone id of `fe80::1%eth0` (RFC 4007) is ignored. false if the text is not an address.
 */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const host = hostOf(address)
  return host !== undefined && networks.some((network) => networkCovers(network, host))
}

/** Whether all addresses of the inner network lie in the outer one. */
export function networkCovers(outer: Network, inner: Network): boolean {
  return (
    outer.parts.length === inner.parts.length &&
    outer.prefix <= inner.prefix &&
    cleared(inner.parts, outer.prefix).every((part, index) => part === outer.parts[index])
  )
}

/**
 * The network that counts as one client, in its one form: an IPv4 address, or the 64 leading bits of an IPv6
 * address (`2001:db8:1:2::/64`). What is no address stands for itself.
 */
export function clientNetwork(address: string): string {
  const host = hostOf(address)
  if (!host) return address
  if (host.parts.length === 4) return print(host.parts)
  return `${print(cleared(host.parts, CLIENT_PREFIX))}/${CLIENT_PREFIX}`
}

/**
 * The network whose clients take turns together: the 24 leading bits of an IPv4 address, the 64 of an IPv6 address. What is no
 * address stands for itself.
 */
export function turnNetwork(address: string): string {
  const host = hostOf(address)
  if (!host) return address
  const prefix = host.parts.length === 4 ? TURN_PREFIX : CLIENT_PREFIX
  return `${print(cleared(host.parts, prefix))}/${prefix}`
}

/** The network of one address, as a connection tells it: perhaps with a zone id. */
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

/** `192.0.2.` or `2001:db8:` and so many stars. */
function withStars(leading: string, stars: number): Network | undefined {
  const isV6 = leading.endsWith(':')
  const given = leading.slice(0, -1).split(isV6 ? ':' : '.')
  const missing = (isV6 ? 8 : 4) - given.length
  // One star stands for all that is missing.
  if (given.includes('') || missing < 1 || (stars > 1 && (isV6 || stars !== missing)))
    return undefined
  const zeros = Array<string>(missing).fill('0')
  const parts = isV6
    ? parseIpv6([...given, ...zeros].join(':'))
    : parseIpv4([...given, ...zeros].join('.'))
  return parts && networkOf(parts, given.length * (isV6 ? 16 : 8))
}

function networkOf(parts: readonly number[], prefix: number): Network {
  const isMapped =
    prefix >= MAPPED_PREFIX && parts[5] === 0xffff && parts.slice(0, 5).every((part) => part === 0)
  if (!isMapped) return { parts: cleared(parts, prefix), prefix }
  const octets = [parts[6] >> 8, parts[6] & 255, parts[7] >> 8, parts[7] & 255]
  return networkOf(octets, prefix - MAPPED_PREFIX)
}

/** The parts with all bits behind the prefix 0. */
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
