import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printIpv6 } from '#dns/addresses/ipv6'
import { isHostAddress } from '#dns/addresses/special_networks'
import type { RRset } from '#dns/types'

export type Family = 'A' | 'AAAA'

/**
 * What is wished of the addresses of one family: that they stay, that there are none, that they are exactly these
 * (canonical, in numeric order, one at least), or that each of them moves into another network and keeps what is
 * behind the prefix: its host part.
 */
export type FamilyWish =
  | { kind: 'keep' }
  | { kind: 'clear' }
  | { kind: 'set'; addresses: string[] }
  | { kind: 'prefix'; groups: number[]; length: number }

/** Wishes for both families of a host. */
export type AddressWishes = Record<Family, FamilyWish>

export const KEEP: FamilyWish = { kind: 'keep' }

/** More than any host needs, and few enough for one RRset. */
const MOST_ADDRESSES = 32

/** Addresses of both families, sorted out of one or more lists. */
export interface SortedAddresses {
  ipv4: number[][]
  ipv6: number[][]
  /** Networks that IPv6 addresses are to move into. */
  prefixes: { groups: number[]; length: number }[]
}

/**
 * Sorts the items of a comma list by what they are: IPv4, IPv6, or an IPv6 network such as `2001:db8:1::/64`. IPv4
 * in IPv6 form counts as IPv4, blanks and empty items are left out. The first item that is none of them comes back
 * as `wrong`.
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

/** The first address, or network, that can be no host's: loopback, link-local, multicast. undefined where all can be. */
export function noHostIn({ ipv4, ipv6, prefixes }: SortedAddresses): string | undefined {
  const texts = [
    ...ipv4.map(printIpv4),
    ...ipv6.map(printIpv6),
    ...prefixes.map(({ groups }) => printIpv6(groups)),
  ]
  return texts.find((text) => !isHostAddress(text))
}

/** The items of a comma list, without blanks around them; empty ones are left out. */
export function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The wish for IPv4: these addresses, or to keep what is there where there are none. null for too many. */
export function ipv4Wish(addresses: number[][]): FamilyWish | null {
  return wishOf(addresses, printIpv4)
}

/**
 * The wish for IPv6: these addresses, else the network, else to keep what is there. null for too many addresses or
 * networks.
 */
export function ipv6Wish({
  ipv6,
  prefixes,
}: Pick<SortedAddresses, 'ipv6' | 'prefixes'>): FamilyWish | null {
  if (ipv6.length > 0 || prefixes.length === 0) {
    return wishOf(ipv6, printIpv6)
  }
  return prefixes.length === 1 ? { kind: 'prefix', ...prefixes[0] } : null
}

/**
 * The addresses that a family is to have, canonical; null where nothing is wished of it, or where there is no
 * address that could move into another network.
 */
export function wantedAddresses(wish: FamilyWish, current: RRset | undefined): string[] | null {
  switch (wish.kind) {
    case 'keep':
      return null
    case 'clear':
      return []
    case 'set':
      return wish.addresses
    case 'prefix': {
      const moved = (current?.records ?? []).flatMap(({ content }) => {
        const groups = parseIpv6(content)
        return groups ? [withPrefix(wish, groups)] : []
      })
      return moved.length > 0 ? sorted(moved, printIpv6) : null
    }
  }
}

/** Whether an RRset holds exactly these addresses, all of them in use; its TTL does not count. */
export function holdsExactly(current: RRset | undefined, addresses: string[]): boolean {
  const records = current?.records ?? []
  const contents = new Set(records.map(({ content }) => content))
  return (
    records.length === addresses.length &&
    records.every(({ disabled }) => !disabled) &&
    addresses.every((address) => contents.has(address))
  )
}

/** The canonical text of the address of a connection, without a zone id; null for what is none. */
export function connectionAddress(text: string): string | null {
  const found = sortAddresses(withoutZone(text))
  if ('wrong' in found) {
    return null
  }
  const [ipv4, ipv6] = [found.ipv4.at(0), found.ipv6.at(0)]
  return ipv4 ? printIpv4(ipv4) : ipv6 ? printIpv6(ipv6) : null
}

function wishOf(addresses: number[][], print: (parts: number[]) => string): FamilyWish | null {
  if (addresses.length === 0) {
    return KEEP
  }
  const wanted = sorted(addresses, print)
  return wanted.length <= MOST_ADDRESSES ? { kind: 'set', addresses: wanted } : null
}

/** In numeric order, each once. */
function sorted(addresses: number[][], print: (parts: number[]) => string): string[] {
  const ordered = addresses.toSorted((one, other) => {
    const place = one.findIndex((part, index) => part !== other[index])
    return place === -1 ? 0 : one[place] - other[place]
  })
  return [...new Set(ordered.map(print))]
}

/** The leading bits of the prefix, and those of the address behind them. */
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

/** A zone id says on which link an address is, which is nobody else's business (RFC 4007). */
function withoutZone(text: string): string {
  return text.replace(/%.*$/, '')
}

function isMapped(groups: number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
}

function octetsOf(groups: number[]): number[] {
  return [groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255]
}
