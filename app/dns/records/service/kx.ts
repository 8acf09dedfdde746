import { afterPriority } from '#dns/rdata/preference'
import { defineRecordType } from '#dns/records/define'
import { hostOf } from '#dns/records/fields'

export const kx = defineRecordType({
  type: 'KX',
  rfc: 'RFC 2230, 3',
  summary: 'A host that exchanges keys for this name; the lowest priority is tried first',
  example: 'kx.example.org',
  trap: 'The priority inside the content; it is a separate field',
  priority: true,
  fields: [afterPriority(hostOf('exchanger', { allowRoot: true }))],
  pointsTo: ['exchanger'],
})
