import { ipv4, ipv6, isAddress, isIpv4, parsePrimary } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import { zoneName } from '#dns/names'
import { cidr } from '#dns/addresses/networks'
import { MAX_ITERATIONS } from '#dns/dnssec/nsec3'

/** Format of one metadata value. */
export interface ValueRule {
  /** Description of allowed values, after "allowed:". */
  allowed: string
  /** A valid value in stored form. */
  example: string
  /** Returns the stored form; undefined for an invalid value. */
  read(text: string): string | undefined
}

/** Maximum length of a value, in characters. */
export const MAX_VALUE = 4096

/** Digest types (RFC 4034, 5.1.3) that every supported PowerDNS can create a CDS record for. */
const DIGESTS = new Set(['1', '2', '4'])

/** One of these words, case-insensitively. */
export function oneOf(...words: string[]): ValueRule {
  return {
    allowed: words.join(', '),
    example: words[0],
    read: (text) => words.find((word) => word === text.trim().toUpperCase()),
  }
}

/** Off or on. */
export const ZERO_OR_ONE: ValueRule = { ...oneOf('0', '1'), example: '1' }

/** Free text. Some PowerDNS tables accept only ASCII. */
export const TEXT: ValueRule = {
  example: 'any text',
  allowed: `1 to ${MAX_VALUE} printable ASCII characters`,
  read: (text) => (isPrintable(text) && text.trim() !== '' ? text : undefined),
}

/** One word without spaces: a principal, a path. */
export const WORD: ValueRule = {
  example: 'DNS/ns1.example.net@EXAMPLE.NET',
  allowed: '1 to 255 printable ASCII characters without spaces',
  read: (text) => (/^[\x21-\x7e]{1,255}$/.test(text.trim()) ? text.trim() : undefined),
}

/** A path, or NONE. Paths may have spaces. */
export const SCRIPT: ValueRule = {
  example: '/etc/powerdns/axfr.lua',
  allowed: 'the absolute path of a script on the name server, or NONE',
  read: (text) => {
    const path = text.trim()
    if (path.toUpperCase() === 'NONE') return 'NONE'
    return isPrintable(path) && path.startsWith('/') && path.length <= 1024 ? path : undefined
  },
}

/** An address, without a port. */
export const ADDRESS: ValueRule = {
  example: '192.0.2.53',
  allowed: 'an IPv4 or IPv6 address without a port',
  read: (text) => (isAddress(text.trim()) ? addressOf(text.trim()) : undefined),
}

/** An address, or a network with its prefix length. */
export const NETWORK: ValueRule = {
  example: '192.0.2.0/24',
  allowed:
    'an address or a network with its prefix length, such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32',
  read: (text) => networkOf(text.trim()),
}

/** As `NETWORK`, or with "!" in front for an exception. */
export const NETWORK_OR_EXCEPTION: ValueRule = {
  example: '2001:db8::/32',
  allowed: `${NETWORK.allowed}; a leading "!", such as in !192.0.2.1, excludes it`,
  read(text) {
    const [, sign, network] = /^(!?)\s*(.*)$/s.exec(text.trim())!
    const value = networkOf(network)
    return value === undefined ? undefined : sign + value
  },
}

/** As `NETWORK`, or all name servers of the zone. */
export const NETWORK_OR_NAME_SERVERS: ValueRule = {
  example: '192.0.2.0/24',
  allowed: `${NETWORK.allowed}, or AUTO-NS for the addresses of the zone's NS records`,
  read: (text) => (text.trim().toUpperCase() === 'AUTO-NS' ? 'AUTO-NS' : networkOf(text.trim())),
}

/** An address with an optional port. */
export const SERVER: ValueRule = {
  example: '192.0.2.53:5300',
  allowed: 'an address, "address:port" or "[IPv6 address]:port"',
  read: (text) => unlessInvalid(() => parsePrimary(text.trim())),
}

/** Name of a TSIG key (RFC 8945, 4.2): a domain name. */
export const KEY_NAME: ValueRule = {
  example: 'transfer.example.net',
  allowed:
    'the name of a TSIG key: labels of letters, digits, "-" or "_", separated by dots, at most 253 characters',
  read: (text) => unlessInvalid(() => zoneName(text.trim())),
}

/**
 * Digest types separated by commas, or 0, which asks the parent to remove the DS records (RFC 8078,
 * 4).
 */
export const DIGEST_LIST: ValueRule = {
  example: '2,4',
  allowed: 'digest types 1, 2 and 4, separated by commas, such as "2,4", or 0',
  read: (text) => {
    const types = text.split(',').map((type) => type.trim())
    if (types.length === 1 && types[0] === '0') return '0'
    return types.every((type) => DIGESTS.has(type)) ? [...new Set(types)].join(',') : undefined
  },
}

/** Content of an NSEC3PARAM record (RFC 5155, 4.2). */
export const NSEC3_PARAMETERS: ValueRule = {
  example: '1 0 0 -',
  allowed: `"1", flags 0 or 1 (opt-out), 0 to ${MAX_ITERATIONS} iterations, and "-" or up to 255 bytes of salt in hexadecimal, such as "1 0 0 -" (RFC 9276)`,
  read: (text) => {
    const words = text.trim().toLowerCase().split(/\s+/)
    const [algorithm, flags, iterations, salt] = words
    const isFormed =
      words.length === 4 &&
      algorithm === '1' &&
      /^[01]$/.test(flags) &&
      /^(0|[1-9]\d{0,2})$/.test(iterations) &&
      /^(-|([0-9a-f]{2}){1,255})$/.test(salt)
    return isFormed && Number(iterations) <= MAX_ITERATIONS ? words.join(' ') : undefined
  },
}

function isPrintable(text: string): boolean {
  return text.length <= MAX_VALUE && /^[\x20-\x7e]+$/.test(text)
}

function networkOf(text: string): string | undefined {
  if (isAddress(text)) return addressOf(text)
  return text.includes('/') ? unlessInvalid(() => cidr(text)) : undefined
}

function addressOf(text: string): string {
  return isIpv4(text) ? ipv4(text) : ipv6(text)
}

function unlessInvalid(read: () => string): string | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidDns) return undefined
    throw error
  }
}
