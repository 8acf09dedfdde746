import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printIpv6 } from '#dns/addresses/ipv6'
import { isHostAddress } from '#dns/addresses/special_networks'
import type { RRset } from '#dns/types'

export type Family = 'A' | 'AAAA'

/**
 * Requested addresses of one family: no change, none, an exact list (canonical, in numeric order,
 * at least one), or a new prefix. With a new prefix, addresses keep their host part.
 */
export type FamilyUpdate =
  | { kind: 'keep' }
  | { kind: 'clear' }
  | { kind: 'set'; addresses: string[] }
  | { kind: 'prefix'; groups: number[]; length: number }

/** Requested addresses of both families of a host. */
export type AddressUpdates = Record<Family, FamilyUpdate>

export const KEEP_ADDRESSES: FamilyUpdate = { kind: 'keep' }

/** Limit for one RRset, above the need of any host. */
const MAX_ADDRESSES = 32

/** Addresses by family, from one or more lists. */
export interface SortedAddresses {
  ipv4: number[][]
  ipv6: number[][]
  /** New networks for IPv6 addresses. */
  prefixes: { groups: number[]; length: number }[]
}

/**
 * Sorts the items of a comma list into IPv4, IPv6 and IPv6 networks such as `2001:db8:1::/64`.
 * IPv4-mapped addresses count as IPv4; empty items are skipped. Returns the first invalid item as
 * `wrong`.
 */
export function sortAddresses(list: string): SortedAddresses | { wrong: string } {
  const found: SortedAddresses = { ipv4: [], ipv6: [], prefixes: [] }
  for (const item of itemsOf(list)) {
    const [text, length, ...more] = item.split('/')
    const octets = parseIpv4(text)
    const groups = octets ? undefined : parseIpv6(withoutZone(text))
    if (more.length > 0 || (!octets && !groups)) {
      return { wrong: item }
    }
    if (octets || isMapped(groups!)) {
      if (length !== undefined && length !== '32') return { wrong: item }
      found.ipv4.push(octets ?? octetsOf(groups!))
    } else if (length === undefined || length === '128') {
      found.ipv6.push(groups!)
    } else {
      const bits = prefixLength(length)
      if (bits === undefined) return { wrong: item }
      found.prefixes.push({ groups: groups!, length: bits })
    }
  }
  return found
}

/**
 * Returns the first address or network that a host cannot have: loopback, link-local, multicast.
 * undefined if all are valid.
 */
export function noHostIn({ ipv4, ipv6, prefixes }: SortedAddresses): string | undefined {
  const texts = [
    ...ipv4.map(printIpv4),
    ...ipv6.map(printIpv6),
    ...prefixes.map(({ groups }) => printIpv6(groups)),
  ]
  return texts.find((text) => !isHostAddress(text))
}

/** Splits a comma list, trims the items and drops empty ones. */
export function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * Returns the request for IPv4: these addresses, or no change for an empty list. null for too many.
 */
export function ipv4Update(addresses: number[][]): FamilyUpdate | null {
  return requestFor(addresses, printIpv4)
}

/**
 * Returns the request for IPv6: these addresses, else the network, else no change. null for too
 * many addresses or networks.
 */
export function ipv6Update({
  ipv6,
  prefixes,
}: Pick<SortedAddresses, 'ipv6' | 'prefixes'>): FamilyUpdate | null {
  if (ipv6.length > 0 || prefixes.length === 0) {
    return requestFor(ipv6, printIpv6)
  }
  return prefixes.length === 1 ? { kind: 'prefix', ...prefixes[0] } : null
}

/**
 * Returns the canonical addresses after the request. null without a request, or if no address
 * exists that could move into another network.
 */
export function wantedAddresses(
  request: FamilyUpdate,
  current: RRset | undefined
): string[] | null {
  switch (request.kind) {
    case 'keep':
      return null
    case 'clear':
      return []
    case 'set':
      return request.addresses
    case 'prefix': {
      const movedAddresses = (current?.records ?? []).flatMap(({ content }) => {
        const groups = parseIpv6(content)
        return groups ? [withPrefix(request, groups)] : []
      })
      return movedAddresses.length > 0 ? sorted(movedAddresses, printIpv6) : null
    }
  }
}

/** Returns whether the RRset has exactly these addresses, all enabled; ignores the TTL. */
export function holdsExactly(current: RRset | undefined, addresses: string[]): boolean {
  const records = current?.records ?? []
  const contents = new Set(records.map(({ content }) => content))
  return (
    records.length === addresses.length &&
    records.every(({ disabled }) => !disabled) &&
    addresses.every((address) => contents.has(address))
  )
}

/** Returns the canonical address of a connection without a zone id; null for an invalid text. */
export function connectionAddress(text: string): string | null {
  const found = sortAddresses(withoutZone(text))
  if ('wrong' in found) {
    return null
  }
  const [ipv4, ipv6] = [found.ipv4.at(0), found.ipv6.at(0)]
  return ipv4 ? printIpv4(ipv4) : ipv6 ? printIpv6(ipv6) : null
}

function requestFor(
  addresses: number[][],
  print: (parts: number[]) => string
): FamilyUpdate | null {
  if (addresses.length === 0) {
    return KEEP_ADDRESSES
  }
  const addressTexts = sorted(addresses, print)
  return addressTexts.length <= MAX_ADDRESSES ? { kind: 'set', addresses: addressTexts } : null
}

/** Sorts numerically and drops duplicates. */
function sorted(addresses: number[][], print: (parts: number[]) => string): string[] {
  const ordered = addresses.toSorted((one, other) => {
    const firstDifference = one.findIndex((part, index) => part !== other[index])
    return firstDifference === -1 ? 0 : one[firstDifference] - other[firstDifference]
  })
  return [...new Set(ordered.map(print))]
}

/** Returns the leading bits of the prefix, followed by the host part of the address. */
function withPrefix(prefix: { groups: number[]; length: number }, address: number[]): number[] {
  return address.map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix.length - index * 16))
    const mask = (0xffff << (16 - bits)) & 0xffff
    return (prefix.groups[index] & mask) | (group & ~mask & 0xffff)
  })
}

function prefixLength(text: string): number | undefined {
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) < 128 ? Number(text) : undefined
}

/** A zone id is a local link of the server and has no meaning elsewhere (RFC 4007). */
function withoutZone(text: string): string {
  return text.replace(/%.*$/, '')
}

function isMapped(groups: number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
}

function octetsOf(groups: number[]): number[] {
  return [groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255]
}
