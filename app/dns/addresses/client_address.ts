import { isInNetworks, type Network } from '#dns/addresses/networks'
import { isAddress, isIpv6 } from '#dns/addresses/address_text'

/** An address with an optional port, numeric or obfuscated; IPv6 in brackets (RFC 7239, 6). Without quotes. */
const FORWARDED_NODE = /^(?:\[([^\]]+)\]|([^:]+))(?::(?:\d{1,5}|_[\w.-]+))?$/

/**
 * Returns the address of the client. While the address belongs to a trusted proxy, the entry that this proxy added to
 * `X-Forwarded-For` replaces it, from the last entry to the first. Stops at an invalid entry. An entry may have a port.
 *
 * @param connection address of the connection
 * @param forwarded the header: a comma-separated list, to which each proxy appends its client
 */
export function clientAddress(
  connection: string,
  forwarded: string | undefined,
  trusted: readonly Network[]
): string {
  const entries = forwarded?.split(',') ?? []
  let address = connection
  while (isInNetworks(address, trusted)) {
    const entry = entries.pop()
    const previous = entry === undefined ? null : addressIn(entry.trim())
    if (previous === null) {
      break
    }
    address = previous
  }
  return address
}

/** Returns the address of one entry of the header; null for an invalid entry. */
function addressIn(entry: string): string | null {
  const text = /^"(.*)"$/.exec(entry)?.[1] ?? entry
  const [, bracketed, bare] = FORWARDED_NODE.exec(text) ?? []
  if (bracketed !== undefined) {
    return isIpv6(bracketed) ? bracketed : null
  }
  const address = bare ?? text
  return isAddress(address) ? address : null
}
