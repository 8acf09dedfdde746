import { checkDigest } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import { codeOf, hexOf } from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'

const DIGEST_BYTES: Readonly<Record<string, number>> = { 1: 32, 2: 64 }
/** Acronyms of RFC 7218. Other numbers are stored with a warning (`registered-number`). */
const USAGES = { 'PKIX-TA': 0, 'PKIX-EE': 1, 'DANE-TA': 2, 'DANE-EE': 3, 'PRIVCERT': 255 }
const MATCHING_TYPES = { 'FULL': 0, 'SHA2-256': 1, 'SHA2-512': 2, 'PRIVMATCH': 255 }
const EXAMPLE_DIGEST = '8cb0fc6c527506a053f4f14c8464bebbd6dede2738d11468dd953d7d6a3021f1'

/** Fields of a certificate association (RFC 6698, 2.1) with their acronyms (RFC 7218). */
function association(about: {
  type: string
  rfc: string
  summary: string
  trap: string
}): RecordType {
  return defineRecordType({
    ...about,
    example: `3 1 1 ${EXAMPLE_DIGEST}`,
    fields: [
      codeOf('certificate usage', USAGES, { max: 255 }),
      codeOf('selector', { CERT: 0, SPKI: 1, PRIVSEL: 255 }, { max: 255 }),
      codeOf('matching type', MATCHING_TYPES, { max: 255 }),
      hexOf('certificate data', { max: 65_532 }),
    ],
    check(values, _context, content) {
      const code = values['matching type']
      checkDigest(values['certificate data'], DIGEST_BYTES[code], {
        content,
        kind: `matching type ${code}`,
        name: 'certificate data',
      })
    },
  })
}

/** The certificate that a server presents (DANE). */
export const tlsa: RecordType = association({
  type: 'TLSA',
  rfc: 'RFC 6698',
  summary: 'The TLS certificate of the service at _port._protocol.name (DANE)',
  trap: 'Publish the new record before the certificate changes, and sign the zone with DNSSEC',
})

/** The certificate with which a person signs mail. */
export const smimea: RecordType = association({
  type: 'SMIMEA',
  rfc: 'RFC 8162',
  summary: 'The S/MIME certificate of an email address (DANE)',
  trap: 'The owner name is a hash of the local part below _smimecert, not the address itself',
})
