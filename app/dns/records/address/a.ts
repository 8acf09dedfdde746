import { ipv4 } from '#dns/addresses/address_text'
import { address4FromWire } from '#dns/records/from_wire'
import type { RecordType } from '#dns/records/record_type'

export const a: RecordType = {
  type: 'A',
  rfc: 'RFC 1035, 3.4.1',
  summary: 'The IPv4 address of a host',
  example: '192.0.2.10',
  trap: 'A host name or an IPv6 address; use a CNAME or AAAA record',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['address'],
  parse: (content) => [content],
  canonical: (content) => ipv4(content),
  fromWire: (data) => address4FromWire(data.reading('address')),
  present: (content) => content,
  targets: () => [],
}
