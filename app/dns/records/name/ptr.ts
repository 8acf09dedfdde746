import { hostName } from '#dns/names'
import type { RecordType } from '#dns/records/record_type'

export const ptr: RecordType = {
  type: 'PTR',
  rfc: 'RFC 1035, 3.3.12',
  summary: 'The host name that belongs to an address, in a reverse zone',
  example: 'host.example.org',
  trap: 'An address in the content; the address is the owner name, reversed',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['target'],
  parse: (content) => [content],
  canonical: (content) => hostName(content, 'content', { allowRoot: true }),
  fromWire: (data) => data.reading('target').name(),
  present: (content) => content,
  targets: (content) => (content === '.' ? [] : [content]),
}
