import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { addressOf, guardedLookup } from '#support/guarded_lookup'

/**
 * Addresses that no name server has: unspecified, link-local (metadata services of clouds) and multicast. Private and loopback
 * addresses are common for name servers.
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

/** Checks a URL with an IP address, which Node does not pass to the lookup. Throws `AddressRefused`. */
export function demandCallable(url: URL): void {
  const address = addressOf(url)
  if (address !== null && !mayCall(address)) {
    throw new AddressRefused('the address cannot belong to a name server')
  }
}

export const pinnedLookup = guardedLookup(
  mayCall,
  () => new AddressRefused('the name resolves to an address that cannot belong to a name server')
)
