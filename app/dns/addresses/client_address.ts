import { isInNetworks, type Network } from '#dns/addresses/networks'
import { isAddress, isIpv6 } from '#dns/addresses/address_text'

/** An address with its port, obfuscated ones too, and IPv6 in brackets (RFC 7239, 6); quotes do not count. */
const NODE = /^(?:\[([^\]]+)\]|([^:]+))(?::(?:\d{1,5}|_[\w.-]+))?$/

/**
 * The address of who calls: that of the connection, and where a proxy that is trusted holds it, the one that this
 * proxy wrote down in `X-Forwarded-For`; and so on, from the last to the first. What nobody trusted wrote does not
 * count, nor does what is no address. An entry may have a port, which some proxies always add.
 *
 * @param connection address of the connection
 * @param forwarded  the header; a comma list, each proxy adds its caller at the end
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

/** The address in one entry of the header; null where there is none. */
function addressIn(entry: string): string | null {
  const text = /^"(.*)"$/.exec(entry)?.[1] ?? entry
  const [, bracketed, bare] = NODE.exec(text) ?? []
  if (bracketed !== undefined) {
    return isIpv6(bracketed) ? bracketed : null
  }
  const address = bare ?? text
  return isAddress(address) ? address : null
}
