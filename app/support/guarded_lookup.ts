import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** The address in a URL; null if it has a name instead. Node looks up no address, so callers have to check it themselves. */
export function addressOf({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? null : host
}

/**
 * A lookup for one connection (SSRF guard). It resolves the name once and fails if one of its addresses is not allowed. The
 * connection uses these addresses, whatever the name resolves to later.
 *
 * @param refused the error for an address that is not allowed, or for a name without addresses
 */
export function guardedLookup(
  isAllowed: (address: string) => boolean,
  refused: (addressOrName: string) => Error
): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, result) => {
      const addresses = error ? [] : result
      const refusedAddress = addresses.find(({ address }) => !isAllowed(address))
      if (error || refusedAddress || addresses.length === 0) {
        done(error ?? refused(refusedAddress?.address ?? hostname), '')
      } else if (options.all) {
        done(null, addresses)
      } else {
        done(null, addresses[0].address, addresses[0].family)
      }
    })
  }
}
