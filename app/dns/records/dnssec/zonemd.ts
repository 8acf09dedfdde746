import { checkDigest } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import { codeOf, hexOf, numberOf } from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'

const DIGEST_BYTES: Readonly<Record<string, number>> = { 1: 48, 2: 64 }

/** Digest of the whole zone. PowerDNS serves it as data and never computes it, so users write it. */
export const zonemd: RecordType = defineRecordType({
  type: 'ZONEMD',
  rfc: 'RFC 8976',
  summary: 'A digest over the contents of the whole zone, at its apex',
  example:
    '2018031500 1 1 ' +
    'feba39db26060526ce1c7b1e4e0a1e2bd1b6d1d4b80ff9df4b8c4ff8fd2b2c39' +
    'fba3adbe1ee97d1fe3bd41ce3b4c9e64',
  trap: 'Each change to the zone invalidates the digest, and PowerDNS does not compute a new one',
  fields: [
    numberOf('serial', 4294967295),
    codeOf('scheme', { SIMPLE: 1 }, { max: 255 }),
    codeOf('hash algorithm', { SHA384: 1, SHA512: 2 }, { max: 255 }),
    // RFC 8976, 2.2.4
    hexOf('digest', { min: 12 }),
  ],
  check(values, _context, content) {
    const code = values['hash algorithm']
    checkDigest(values.digest, DIGEST_BYTES[code], { content, kind: `hash algorithm ${code}` })
  },
})
