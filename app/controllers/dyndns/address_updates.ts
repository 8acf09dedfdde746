import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { valueOf, type DyndnsQuery } from '#controllers/dyndns/query'
import {
  ipv4Update,
  ipv6Update,
  itemsOf,
  KEEP_ADDRESSES,
  noHostIn,
  sortAddresses,
  type AddressUpdates,
  type FamilyUpdate,
  type SortedAddresses,
} from '#zones/dynamic_dns/addresses'

/** Placeholder for the address of the client. */
const CLIENT_ADDRESS = 'whatismyip'
/** Leaves the current addresses, also where `dualstack_update` would remove them. */
const PRESERVE_WORD = 'preserve'

/** The hosts of a request in their order, canonical; null for an invalid name. */
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
 * The requested addresses; null if none is valid. Without addresses, that of the client is used.
 * Invalid addresses are ignored.
 * `myip` (`ip`, `myipv4`, `ipv4`) takes both families; `myip6` (`ip6`, `myipv6`, `ipv6`) has
 * precedence for IPv6. A list replaces all addresses. `ip6lanprefix`, or a network, changes the
 * prefix of the stored ones. A missing family stays; `dualstack_update=1` removes it, unless an
 * item was ignored.
 *
 * @param client canonical address of the caller; null if unknown or no host address
 */
export function addressUpdates(query: DyndnsQuery, client: string | null): AddressUpdates | null {
  const parameters = parametersIn(query)
  const both = parseAddressList(parameters.both, client)
  const ipv6Only = parseAddressList(parameters.ipv6Only, client?.includes('.') ? '' : client)
  const prefix = parseAddressList([networkOf(parameters.network)], null)
  const hasIpv6 = ipv6Only.isPreserved || ipv6Only.ipv6.length + ipv6Only.prefixes.length > 0
  const ipv6Items = hasIpv6 ? ipv6Only : both
  const prefixes =
    ipv6Items.prefixes.length > 0 || ipv6Only.isPreserved ? ipv6Items.prefixes : prefix.prefixes
  const ipv4 = ipv4Update(both.ipv4)
  const ipv6 = ipv6Update({ ipv6: ipv6Items.ipv6, prefixes })
  if (!ipv4 || !ipv6 || (ipv4 === KEEP_ADDRESSES && ipv6 === KEEP_ADDRESSES)) {
    return null
  }
  const isWhole = [both, ipv6Only, prefix].every(({ isCut }) => !isCut)
  const isDual = ['1', 'true', 'yes', 'on'].includes(valueOf(query, 'dualstack_update') ?? '')
  const clears = isDual && isWhole
  const orCleared = (requested: FamilyUpdate, isPreserved: boolean): FamilyUpdate =>
    requested === KEEP_ADDRESSES && clears && !isPreserved ? { kind: 'clear' } : requested
  return { A: orCleared(ipv4, both.isPreserved), AAAA: orCleared(ipv6, ipv6Only.isPreserved) }
}

/** Whether the update needs the address of the client. */
export function usesClientAddress(query: DyndnsQuery): boolean {
  const { both, ipv6Only } = parametersIn(query)
  return [...both, ...ipv6Only].some((item) => item.toLowerCase() === CLIENT_ADDRESS)
}

/**
 * The parameters of addresses: for both families, for IPv6, and the network of a LAN. The
 * placeholder of the client address if there are none.
 */
function parametersIn(query: DyndnsQuery) {
  const lists = [valueOf(query, 'myip', 'ip'), valueOf(query, 'myipv4', 'ipv4')]
  const parameters = {
    both: lists.flatMap((list) => itemsOf(list ?? '')),
    ipv6Only: itemsOf(valueOf(query, 'myip6', 'ip6', 'myipv6', 'ipv6') ?? ''),
    network: valueOf(query, 'ip6lanprefix') ?? '',
  }
  const isNothing =
    parameters.both.length + parameters.ipv6Only.length === 0 && parameters.network === ''
  return isNothing ? { ...parameters, both: [CLIENT_ADDRESS] } : parameters
}

interface AddressList extends SortedAddresses {
  isPreserved: boolean
  /** Whether an item was ignored. */
  isCut: boolean
}

/**
 * The items by kind, with placeholders replaced and without invalid host addresses.
 *
 * @param client address of the client; empty if it has the other family, null if unknown
 */
function parseAddressList(items: string[], client: string | null): AddressList {
  const found: AddressList = { ipv4: [], ipv6: [], prefixes: [], isPreserved: false, isCut: false }
  for (const item of items) {
    const word = item.toLowerCase()
    const address = word === CLIENT_ADDRESS ? client : item
    const sorted = address === null ? null : hostAddresses(address)
    if (word === PRESERVE_WORD) {
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

/** The address or network by kind; null if it is invalid or no host address. */
function hostAddresses(item: string): SortedAddresses | null {
  const found = sortAddresses(item)
  return 'wrong' in found || noHostIn(found) !== undefined ? null : found
}

/** The network of a LAN, /64 without a length. */
function networkOf(text: string): string {
  return text === '' || text.includes('/') ? text : `${text.trim()}/64`
}
