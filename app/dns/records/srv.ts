import { InvalidDns } from '#dns/errors'
import { hostName } from '#dns/names'
import { fieldsOf, numberField } from '#dns/rdata_fields'
import type { RecordType } from '#dns/records/record_type'

const FORM = '"weight port target", with the priority in field \'priority\' (RFC 2782)'

/** Whether a name is one that services are asked for under: `_service._proto.rest` (RFC 2782). */
export function isServiceName(name: string): boolean {
  const [service, proto] = name.split('.', 2)
  return [service, proto].every((label) => label?.startsWith('_') && label.length > 1)
}

export const srv: RecordType = {
  type: 'SRV',
  rfc: 'RFC 2782',
  summary: 'Host and port of a service, with a priority and a weight',
  example: '5 5060 sip.example.org',
  trap: 'The priority inside the content; it is a field of its own',
  priority: true,
  singleton: false,
  writer: 'editor',
  fields: ['weight', 'port', 'target'],
  parse: (content) => content.split(' '),
  canonical(content, { name }) {
    if (!isServiceName(name)) {
      throw new InvalidDns('name', name, 'a name _service._proto, such as _sip._tcp (RFC 2782)', {
        problem: 'is not the name of a service',
        rule: 'srv-owner',
      })
    }
    const fields = fieldsOf(content)
    if (fields.length !== 3) {
      const problem = `has ${fields.length} fields, not 3`
      throw new InvalidDns('content', content, FORM, { problem })
    }
    const weight = numberField(fields[0], 'weight', 65535, content)
    const port = numberField(fields[1], 'port', 65535, content)
    return `${weight} ${port} ${hostName(fields[2], 'content', { allowRoot: true })}`
  },
  fromWire(data) {
    const numbers = ['weight', 'port'].map((field) => data.reading(field).number(2))
    return [...numbers, data.reading('target').name()].join(' ')
  },
  present: (content) => content,
  targets(content) {
    const target = content.split(' ').at(-1)
    return !target || target === '.' ? [] : [target]
  },
}
