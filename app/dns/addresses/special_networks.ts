import { isAddress } from '#dns/addresses/address_text'
import { isInNetworks, type Network, parseNetworks } from '#dns/addresses/networks'

/**
 * Networks of the IANA registries of special-purpose addresses (RFC 6890), multicast and reserved networks. They are not
 * reachable on the Internet.
 */
const SPECIAL_NETWORKS = parseNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure: DHCP, DNS and host agent of every virtual machine.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** A network whose addresses no host can have towards others. */
export interface UnreachableNetwork {
  network: Network
  /** Noun phrase, such as "a multicast address". */
  kind: string
  rfc: string
}

function unreachable(network: string, kind: string, rfc: string): UnreachableNetwork {
  return { network: parseNetworks([network])[0], kind, rfc }
}

/**
 * "This host", loopback, link-local, multicast and broadcast, from the registries "IANA IPv4 (IPv6) Special-Purpose Address"
 * of 2026-11-26 and RFC 5771, 3. Without documentation networks, because examples and test zones use them.
 */
export const NO_HOSTS: readonly UnreachableNetwork[] = [
  unreachable('0.0.0.0/8', 'an address of "this network"', 'RFC 791, 3.2'),
  unreachable('127.0.0.0/8', 'a loopback address', 'RFC 1122, 3.2.1.3'),
  unreachable('169.254.0.0/16', 'a link-local address', 'RFC 3927, 2.6'),
  unreachable('224.0.0.0/4', 'a multicast address', 'RFC 5771, 3'),
  unreachable('255.255.255.255', 'the broadcast address', 'RFC 919, 7'),
  unreachable('::', 'the unspecified address', 'RFC 4291, 2.5.2'),
  unreachable('::1', 'the loopback address', 'RFC 4291, 2.5.3'),
  unreachable('fe80::/10', 'a link-local address', 'RFC 4472, 2.1'),
  unreachable('ff00::/8', 'a multicast address', 'RFC 4291, 2.7'),
]

/** Global unicast addresses of IPv6 (RFC 4291, 2.4), and all of IPv4. */
const GLOBAL_UNICAST = parseNetworks(['0.0.0.0/0', '2000::/3'])

/**
 * Returns whether the address is public: not private, loopback, link-local or of a cloud's metadata service. IPv6 addresses
 * that embed an IPv4 address (NAT64, 6to4) are not public. Returns false for an invalid address.
 */
export function isPublicAddress(address: string): boolean {
  return isInNetworks(address, GLOBAL_UNICAST) && !isInNetworks(address, SPECIAL_NETWORKS)
}

/** Returns the network of `NO_HOSTS` that contains the address; undefined if none does, or for an invalid address. */
export function unreachableNetwork(address: string): UnreachableNetwork | undefined {
  return NO_HOSTS.find(({ network }) => isInNetworks(address, [network]))
}

/** Returns whether a host can have the address, public or private; false for an invalid address. */
export function isHostAddress(address: string): boolean {
  return isAddress(address) && unreachableNetwork(address) === undefined
}
