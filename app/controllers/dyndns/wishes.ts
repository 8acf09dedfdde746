import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { valueOf, type DyndnsQuery } from '#controllers/dyndns/query'
import {
  ipv4Wish,
  ipv6Wish,
  itemsOf,
  KEEP,
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
 * What is wished of the addresses; null where none is told, or something that is none.
 *
 * `myip` (or `ip`, `myipv4`, `ipv4`) takes both families, `myip6` (or `ip6`, `myipv6`, `ipv6`) goes before what
 * the others say of IPv6. A list is all that the host is to have. `ip6lanprefix`, or a network among the addresses,
 * moves what is there. A family that is not told stays; with `dualstack_update=1` it ends.
 *
 * @param client canonical address of the connection; null where it is not known
 */
export function wishesOf(query: DyndnsQuery, client: string | null): AddressWishes | null {
  const told = [valueOf(query, 'myip', 'ip'), valueOf(query, 'myipv4', 'ipv4')]
  const told6 = valueOf(query, 'myip6', 'ip6', 'myipv6', 'ipv6')
  const any = listed(told.join(','), client)
  const six = listed(told6 ?? '', client, true)
  const prefix = listed(networkOf(valueOf(query, 'ip6lanprefix')), null)
  if (!any || !six || !prefix || six.ipv4.length + prefix.ipv4.length + prefix.ipv6.length > 0) {
    return null
  }
  const isOwn6 = six.isPreserved || six.ipv6.length + six.prefixes.length > 0
  const own6 = isOwn6 ? six : any
  const prefixes = own6.prefixes.length > 0 || six.isPreserved ? own6.prefixes : prefix.prefixes
  const ipv4 = ipv4Wish(any.ipv4)
  const ipv6 = ipv6Wish({ ipv6: own6.ipv6, prefixes })
  if (!ipv4 || !ipv6 || (ipv4 === KEEP && ipv6 === KEEP)) {
    return null
  }
  const clears = ['1', 'true', 'yes', 'on'].includes(valueOf(query, 'dualstack_update') ?? '')
  const orCleared = (wish: FamilyWish, isPreserved: boolean): FamilyWish =>
    wish === KEEP && clears && !isPreserved ? { kind: 'clear' } : wish
  return { A: orCleared(ipv4, any.isPreserved), AAAA: orCleared(ipv6, six.isPreserved) }
}

/** A list of addresses, sorted, with the words in it replaced; null where something in it is no address. */
function listed(
  list: string,
  client: string | null,
  isIpv6 = false
): (SortedAddresses & { isPreserved: boolean }) | null {
  const items = itemsOf(list)
  const own = client !== null && (!isIpv6 || client.includes(':')) ? [client] : []
  const addresses = items.flatMap((item) => {
    const word = item.toLowerCase()
    return word === PRESERVE ? [] : word === OWN ? own : [item]
  })
  const found = sortAddresses(addresses.join(','))
  const isPreserved = items.some((item) => item.toLowerCase() === PRESERVE)
  return 'wrong' in found ? null : { ...found, isPreserved }
}

/** The network of a LAN; one without its length is a /64, as every LAN has. */
function networkOf(text: string | undefined): string {
  return text === undefined || text.includes('/') ? (text ?? '') : `${text.trim()}/64`
}
