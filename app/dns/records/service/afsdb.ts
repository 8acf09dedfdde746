import { afterPriority } from '#dns/rdata/preference'
import { defineRecordType } from '#dns/records/define'
import { hostOf } from '#dns/records/fields'

/** The subtype is stored as the priority. */
export const afsdb = defineRecordType({
  type: 'AFSDB',
  rfc: 'RFC 1183, 1',
  summary: 'A database server of an AFS cell (priority 1) or of a DCE cell (priority 2)',
  example: 'afsdb.example.org',
  trap: 'A priority other than 1 or 2; it is the subtype and sets no order',
  priority: true,
  fields: [afterPriority(hostOf('host', { allowRoot: true }))],
  pointsTo: ['host'],
})
