import { isInNetworks, type Network } from '#dns/networks'
import { isAddress } from '#dns/addresses'

/**
 * The address of who calls: that of the connection, and where a proxy that is trusted holds it, the one that this
 * proxy wrote down in `X-Forwarded-For`; and so on, from the last to the first. What nobody trusted wrote does not
 * count, nor does what is no address.
 *
 * @param connection address of the connection
 * @param forwarded  the header; a comma list, each proxy adds its caller at the end
 */
export function clientAddress(
  connection: string,
  forwarded: string | undefined,
  trusted: readonly Network[]
): string {
  const entries = forwarded?.split(',').map((entry) => entry.trim()) ?? []
  let address = connection
  while (isInNetworks(address, trusted)) {
    const entry = entries.pop()
    if (entry === undefined || !isAddress(entry)) {
      break
    }
    address = entry
  }
  return address
}
