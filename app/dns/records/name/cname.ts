import { InvalidDns } from '#dns/errors'
import { hostName } from '#dns/names'
import type { RecordType } from '#dns/records/record_type'

export const cname: RecordType = {
  type: 'CNAME',
  rfc: 'RFC 1035, 3.3.1',
  summary: 'An alias: this name has the records of another name',
  example: 'www.example.org',
  trap: 'A CNAME at a name with other records, such as the apex of a zone',
  priority: false,
  singleton: true,
  writer: 'editor',
  fields: ['target'],
  parse: (content) => [content],
  canonical(content, { name }) {
    const target = hostName(content, 'content', { allowRoot: true })
    if (target === name) {
      throw new InvalidDns('content', content, `a host name other than ${name} itself`, {
        problem: 'points to its own name',
      })
    }
    return target
  },
  fromWire: (data) => data.reading('target').name(),
  present: (content) => content,
  targets: (content) => (content === '.' ? [] : [content]),
}
