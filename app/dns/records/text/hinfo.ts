import { defineRecordType } from '#dns/records/define'
import { stringOf } from '#dns/records/fields'

export const hinfo = defineRecordType({
  type: 'HINFO',
  rfc: 'RFC 1035, 3.3.2',
  summary: 'Hardware and operating system of a host, two strings',
  example: '"X86-64" "Linux"',
  trap: 'One string for both, or a space in a string without quotes',
  fields: [stringOf('cpu'), stringOf('os')],
})
