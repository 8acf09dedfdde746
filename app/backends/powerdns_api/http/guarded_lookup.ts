import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isInNetworks, parseNetworks } from '#dns/networks'

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

/** The address that a URL has in place of a name is judged here: nobody looks it up. Throws `AddressRefused`. */
export function demandCallable({ hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !mayCall(host)) {
    throw new AddressRefused('the address is none of a name server')
  }
}

/**
 * Looks a name up once for a connection: every address of it is judged, and the connection goes to one of these and no
 * other, whatever the name means a moment later.
 */
export const pinnedLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) {
      done(error, '')
    } else if (found.length === 0 || !found.every(({ address }) => mayCall(address))) {
      done(new AddressRefused('the name leads to an address that is none of a name server'), '')
    } else if (options.all) {
      done(null, found)
    } else {
      done(null, found[0].address, found[0].family)
    }
  })
}
