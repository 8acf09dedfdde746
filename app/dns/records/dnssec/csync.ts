import { defineRecordType } from '#dns/records/define'
import { numberOf } from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'
import { typesOf } from '#dns/records/dnssec/type_bitmap'

/**
 * CSYNC must not list DNSSEC types (RFC 7477, 1): SIG NXT DS RRSIG NSEC DNSKEY NSEC3 ... DLV. CDS and CDNSKEY exist for them.
 */
const DNSSEC_TYPES = [24, 30, 43, 46, 47, 48, 50, 51, 59, 60, 32769]

/** Types that the parent zone should copy. PowerDNS serves the record but does not act on it. */
export const csync: RecordType = defineRecordType({
  type: 'CSYNC',
  rfc: 'RFC 7477',
  summary: 'The records of this apex that the parent zone should copy (NS and glue)',
  example: '0 1 A NS AAAA',
  trap: 'With flag 2 the parent waits for this serial, so it must not be higher than the serial of the SOA record',
  singleton: true,
  fields: [
    numberOf('serial', 4294967295),
    // 1: immediate; 2: not before the SOA has this serial.
    numberOf('flags', 3, { octets: 2 }),
    { ...typesOf('types', DNSSEC_TYPES), isOptional: true },
  ],
})
