import { defineRecordType } from '#dns/records/define'
import { base64Of } from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'

export const openpgpkey: RecordType = defineRecordType({
  type: 'OPENPGPKEY',
  rfc: 'RFC 7929',
  summary: 'The OpenPGP public key of an email address',
  example: 'mDMEZQAAABYJKwYBBAHaRw8BAQdA',
  trap: 'Armor lines or the final checksum; the content is the binary key in base64',
  fields: [base64Of('public key')],
})

/** Registration of a drone remote ID. PowerDNS before 5.1 fails on the whole name, and on transfers. */
export const hhit: RecordType = defineRecordType({
  type: 'HHIT',
  rfc: 'RFC 9886, 5.1',
  summary: 'Registration of a Hierarchical Host Identity Tag (drone remote ID)',
  example: 'gxJpM2ZmOCAwMDBhWQEY',
  trap: 'Its name is the reverse name (ip6.arpa) of the entity tag, which is an IPv6 address',
  since: '5.1',
  fields: [base64Of('data')],
})

/** Broadcast data of a drone remote ID. PowerDNS before 5.1 fails on the whole name, and on transfers. */
export const brid: RecordType = defineRecordType({
  type: 'BRID',
  rfc: 'RFC 9886, 5.2',
  summary: 'Static data that a drone broadcasts (drone remote ID)',
  example: 'owAAAYIEUQEgAQ==',
  trap: 'It is for aircraft only; registries of tags have only an HHIT record',
  since: '5.1',
  fields: [base64Of('data')],
})
