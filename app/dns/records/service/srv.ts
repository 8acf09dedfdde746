import { InvalidDns } from '#dns/errors'
import { hostName, labelsOf } from '#dns/names'
import { fieldsOf, numberField } from '#dns/rdata/fields'
import type { RecordType } from '#dns/records/record_type'

const FORM = '"weight port target", with the priority in field \'priority\' (RFC 2782)'

/**
 * Returns whether a name is a service name: `_service._proto.rest` (RFC 2782), or an instance or a wildcard below it (RFC
 * 6763, 4.1; example of RFC 2782).
 */
export function isServiceName(name: string): boolean {
  const underscored = labelsOf(name).map((label) => label.length > 1 && label.startsWith('_'))
  return (
    underscored.some((isUnderscored, position) => isUnderscored && underscored[position + 1]) ||
    /^\*\.(?:_[^.]+)/.test(name)
  )
}

export const srv: RecordType = {
  type: 'SRV',
  rfc: 'RFC 2782',
  summary: 'Host and port of a service, with a priority and a weight',
  example: '5 5060 sip.example.org',
  trap: 'The priority inside the content; it is a separate field',
  priority: true,
  singleton: false,
  writer: 'editor',
  fields: ['weight', 'port', 'target'],
  parse: (content) => content.split(' '),
  canonical(content) {
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
