import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { addressOf, guardedLookup } from '#support/guarded_lookup'

/**
 * Networks without name servers: unspecified, link-local (metadata services of clouds) and multicast. Private and
 * loopback addresses are common for name servers.
 */
const REFUSED_NETWORKS = parseNetworks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
])

/** Forms of IPv6 that stand for an IPv4 address. */
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The address cannot be that of a name server. */
export class AddressRefused extends Error {
  readonly code = 'EADDRESS'
}

/** Whether the HTTP API of a name server may be at this address. */
export function isCallableAddress(address: string): boolean {
  const unmapped = MAPPED_IPV4.exec(address)?.[1] ?? address
  return !isInNetworks(unmapped, REFUSED_NETWORKS)
}

/** Checks a URL with an IP address, which Node does not pass to the lookup. Throws `AddressRefused`. */
export function checkCallable(url: URL): void {
  const address = addressOf(url)
  if (address !== null && !isCallableAddress(address)) {
    throw new AddressRefused('the address cannot belong to a name server')
  }
}

export const pinnedLookup = guardedLookup(
  isCallableAddress,
  () => new AddressRefused('the name resolves to an address that cannot belong to a name server')
)
