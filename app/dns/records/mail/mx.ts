import { InvalidDns } from '#dns/errors'
import { hostName } from '#dns/names'
import { fieldsOf } from '#dns/rdata/fields'
import type { RecordType } from '#dns/records/record_type'

export const mx: RecordType = {
  type: 'MX',
  rfc: 'RFC 1035, 3.3.9',
  summary: 'A host that accepts mail for this name; the lowest priority is tried first',
  example: 'mail.example.org',
  trap: 'The priority inside the content; it is a separate field',
  priority: true,
  singleton: false,
  writer: 'editor',
  fields: ['exchange'],
  parse: (content) => [content],
  canonical(content, { priority }) {
    const fields = fieldsOf(content)
    if (fields.length === 2 && /^\d+$/.test(fields[0])) {
      throw new InvalidDns(
        'content',
        content,
        "a host name, with the priority in field 'priority'",
        {
          problem: 'contains a priority',
        }
      )
    }
    const host = hostName(content, 'content', { allowRoot: true })
    if (host === '.' && priority !== 0) {
      throw new InvalidDns('priority', String(priority), '0 with the content "." (RFC 7505, 3)', {
        problem: 'is not the priority of a null MX',
      })
    }
    return host
  },
  fromWire: (data) => data.reading('exchange').name(),
  present: (content) => content,
  targets: (content) => (content === '.' ? [] : [content]),
}
