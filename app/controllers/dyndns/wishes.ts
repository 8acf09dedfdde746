import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { valueOf, type DyndnsQuery } from '#controllers/dyndns/query'
import {
  ipv4Wish,
  ipv6Wish,
  itemsOf,
  KEEP,
  noHostIn,
  sortAddresses,
  type AddressWishes,
  type FamilyWish,
  type SortedAddresses,
} from '#zones/dynamic_dns/addresses'

/** The address of the client itself, instead of one that it tells. */
const OWN = 'whatismyip'
/** What is there stays, also where a family that is not told would end. */
const PRESERVE = 'preserve'

/** The hosts of a request in their order, canonical; null for a name that is none. */
export function hostsOf(query: DyndnsQuery): (string | null)[] {
  const names = (query.get('hostname') ?? []).flatMap(itemsOf)
  return names.map((name) => {
    try {
      return absoluteName(name)
    } catch (error) {
      if (error instanceof InvalidDns) return null
      throw error
    }
  })
}

/**
 * What is wished of the addresses; null where none is left.
 *
 * Where no address is told, that of the client counts. What is no address, or can be no host's, is left out.
 * `myip` (or `ip`, `myipv4`, `ipv4`) takes both families, `myip6` (or `ip6`, `myipv6`, `ipv6`) goes before what
 * the others say of IPv6. A list is all that the host is to have. `ip6lanprefix`, or a network among the addresses,
 * moves what is there. A family that is not told stays; with `dualstack_update=1` it ends, unless something was left out.
 *
 * @param client canonical address of the caller; null where it is not known, or can be no host's
 */
export function wishesOf(query: DyndnsQuery, client: string | null): AddressWishes | null {
  const told = toldIn(query)
  const any = listed(told.any, client)
  const six = listed(told.six, client?.includes('.') ? '' : client)
  const prefix = listed([networkOf(told.network)], null)
  const isOwn6 = six.isPreserved || six.ipv6.length + six.prefixes.length > 0
  const own6 = isOwn6 ? six : any
  const prefixes = own6.prefixes.length > 0 || six.isPreserved ? own6.prefixes : prefix.prefixes
  const ipv4 = ipv4Wish(any.ipv4)
  const ipv6 = ipv6Wish({ ipv6: own6.ipv6, prefixes })
  if (!ipv4 || !ipv6 || (ipv4 === KEEP && ipv6 === KEEP)) {
    return null
  }
  const isWhole = [any, six, prefix].every(({ isCut }) => !isCut)
  const isDual = ['1', 'true', 'yes', 'on'].includes(valueOf(query, 'dualstack_update') ?? '')
  const clears = isDual && isWhole
  const orCleared = (wish: FamilyWish, isPreserved: boolean): FamilyWish =>
    wish === KEEP && clears && !isPreserved ? { kind: 'clear' } : wish
  return { A: orCleared(ipv4, any.isPreserved), AAAA: orCleared(ipv6, six.isPreserved) }
}

/** Whether the answer depends on the address of the client: it is asked for, or none is told. */
export function asksForOwn(query: DyndnsQuery): boolean {
  const { any, six } = toldIn(query)
  return [...any, ...six].some((item) => item.toLowerCase() === OWN)
}

/**
 * What the query tells of addresses: items for both families, items for IPv6, and the network of a LAN; the word for
 * the client's own address where it tells nothing.
 */
function toldIn(query: DyndnsQuery) {
  const any = [valueOf(query, 'myip', 'ip'), valueOf(query, 'myipv4', 'ipv4')]
  const told = {
    any: any.flatMap((list) => itemsOf(list ?? '')),
    six: itemsOf(valueOf(query, 'myip6', 'ip6', 'myipv6', 'ipv6') ?? ''),
    network: valueOf(query, 'ip6lanprefix') ?? '',
  }
  const isNothing = told.any.length + told.six.length === 0 && told.network === ''
  return isNothing ? { ...told, any: [OWN] } : told
}

interface Listed extends SortedAddresses {
  isPreserved: boolean
  /** Whether an item was left out. */
  isCut: boolean
}

/**
 * The items sorted, with the words among them replaced, and without what can be no host's address.
 *
 * @param own address of the client; empty where it is of another family, null where it is not known
 */
function listed(items: string[], own: string | null): Listed {
  const found: Listed = { ipv4: [], ipv6: [], prefixes: [], isPreserved: false, isCut: false }
  for (const item of items) {
    const word = item.toLowerCase()
    const address = word === OWN ? own : item
    const sorted = address === null ? null : hostAddresses(address)
    if (word === PRESERVE) {
      found.isPreserved = true
    } else if (sorted) {
      found.ipv4.push(...sorted.ipv4)
      found.ipv6.push(...sorted.ipv6)
      found.prefixes.push(...sorted.prefixes)
    } else {
      found.isCut = true
    }
  }
  return found
}

/** The address, or network, sorted; null for what is none, or can be no host's. */
function hostAddresses(item: string): SortedAddresses | null {
  const found = sortAddresses(item)
  return 'wrong' in found || noHostIn(found) !== undefined ? null : found
}

/** The network of a LAN; one without its length is a /64, as every LAN has. */
function networkOf(text: string): string {
  return text === '' || text.includes('/') ? text : `${text.trim()}/64`
}
