import { InvalidDns } from '#dns/errors'
import type { RecordType } from '#dns/records/record_type'
import { parseSoa, printSoa } from '#dns/rdata/soa'

const FIELD_NAMES = ['mname', 'rname', 'serial', 'refresh', 'retry', 'expire', 'minimum']

export const soa: RecordType = {
  type: 'SOA',
  rfc: 'RFC 1035, 3.3.13',
  summary: 'Start of a zone: primary name server, mailbox, serial and timers',
  example: 'ns1.example.org hostmaster.example.org 2026010100 10800 3600 604800 3600',
  trap: 'A lower serial; secondaries then do not transfer the new zone',
  priority: false,
  singleton: true,
  writer: 'editor',
  fields: FIELD_NAMES,
  parse: (content) => content.split(' '),
  canonical(content, { name, apex }) {
    if (name !== apex) {
      throw new InvalidDns('name', name, `the apex of the zone, ${apex} (RFC 1035, 3.3.13)`, {
        problem: 'cannot have an SOA record',
        rule: 'soa-apex',
      })
    }
    return printSoa(parseSoa(content))
  },
  fromWire(data) {
    const names = FIELD_NAMES.slice(0, 2).map((field) => data.reading(field).name())
    const numbers = FIELD_NAMES.slice(2).map((field) => data.reading(field).number(4))
    return [...names, ...numbers].join(' ')
  },
  present: (content) => content,
  targets(content) {
    const [mname] = content.split(' ', 1)
    return mname === '.' ? [] : [mname]
  },
}
