import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { addressOf, guardedLookup } from '#support/guarded_lookup'

/**
 * Where no name server is: nobody's addresses, link-local ones (services that tell a cloud's secrets live there), and
 * groups. Private and loopback addresses are where name servers usually are.
 */
const REFUSED = parseNetworks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
])

/** Forms of IPv6 that stand for an IPv4 address. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The address is none that a name server can have. */
export class AddressRefused extends Error {
  readonly code = 'EADDRESS'
}

/** Whether the HTTP API of a name server may be at this address. */
export function mayCall(address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address
  return !isInNetworks(plain, REFUSED)
}

/** Checks a URL that has an address instead of a name: Node looks up no address. Throws `AddressRefused`. */
export function demandCallable(url: URL): void {
  const address = addressOf(url)
  if (address !== null && !mayCall(address)) {
    throw new AddressRefused('the address is none of a name server')
  }
}

export const pinnedLookup = guardedLookup(
  mayCall,
  () => new AddressRefused('the name leads to an address that is none of a name server')
)
