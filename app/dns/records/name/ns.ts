import { hostName } from '#dns/names'
import type { RecordType } from '#dns/records/record_type'

export const ns: RecordType = {
  type: 'NS',
  rfc: 'RFC 1035, 3.3.11',
  summary: 'A name server of the zone, or of a delegated part',
  example: 'ns1.example.org',
  trap: 'An address, or the name of an alias, instead of a host name',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['name server'],
  parse: (content) => [content],
  canonical: (content) => hostName(content, 'content', { allowRoot: true }),
  fromWire: (data) => data.reading('name server').name(),
  present: (content) => content,
  targets: (content) => (content === '.' ? [] : [content]),
}
