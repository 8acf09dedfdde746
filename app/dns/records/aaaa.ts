import { ipv6 } from '#dns/addresses'
import { InvalidDns } from '#dns/errors'
import { parseIpv6 } from '#dns/ipv6'
import { address6FromWire } from '#dns/records/from_wire'
import type { RecordType } from '#dns/records/record_type'

/** Why nobody can reach an address from elsewhere, or undefined when somebody may. */
function unreachable(groups: number[]): string | undefined {
  if (groups.slice(0, 7).every((group) => group === 0)) {
    if (groups[7] === 0) return 'is the unspecified address (RFC 4291, 2.5.2)'
    if (groups[7] === 1) return 'is the loopback address (RFC 4291, 2.5.3)'
  }
  if (groups.slice(0, 6).every((group) => group === 0)) {
    return 'is an IPv4-compatible address, which is deprecated (RFC 4291, 2.5.5.1)'
  }
  if ((groups[0] & 0xffc0) === 0xfec0) {
    return 'is a site-local address, which is deprecated (RFC 3879)'
  }
  return undefined
}

export const aaaa: RecordType = {
  type: 'AAAA',
  rfc: 'RFC 3596, 2.2',
  summary: 'The IPv6 address of a host',
  example: '2001:db8::10',
  trap: 'An IPv4 address; it belongs in an A record',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['address'],
  parse: (content) => [content],
  canonical(content) {
    const address = ipv6(content)
    const problem = unreachable(parseIpv6(address) ?? [])
    if (problem) {
      throw new InvalidDns('content', content, 'an IPv6 address of a host (RFC 3596)', { problem })
    }
    return address
  },
  fromWire: (data) => address6FromWire(data.reading('address')),
  present: (content) => content,
  targets: () => [],
}
