import { ipv6 } from '#dns/addresses/address_text'
import { parseIpv6 } from '#dns/addresses/ipv6'
import { address6FromWire } from '#dns/records/from_wire'
import type { RecordType } from '#dns/records/record_type'

/** Returns the canonical address. An IPv4-mapped one has no dots, because the PowerDNS API reads only the hexadecimal form. */
function recordAddress(text: string): string {
  const address = ipv6(text)
  const groups = parseIpv6(address) ?? []
  return address.includes('.')
    ? `::ffff:${groups[6].toString(16)}:${groups[7].toString(16)}`
    : address
}

export const aaaa: RecordType = {
  type: 'AAAA',
  rfc: 'RFC 3596, 2.2',
  summary: 'The IPv6 address of a host',
  example: '2001:db8::10',
  trap: 'An IPv4 address; use an A record',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['address'],
  parse: (content) => [content],
  canonical: (content) => recordAddress(content),
  fromWire: (data) => address6FromWire(data.reading('address')),
  present: (content) => content,
  targets: () => [],
}
