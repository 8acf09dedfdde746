import { checkDigest } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import { hexOf, numberOf } from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'

const DIGEST_BYTES: Readonly<Record<string, number>> = { 1: 20, 2: 32 }

/** Fingerprint of a host key. Algorithms: RSA 1, DSA 2, ECDSA 3, Ed25519 4, Ed448 6. Types: SHA-1 1, SHA-256 2. */
export const sshfp: RecordType = defineRecordType({
  type: 'SSHFP',
  rfc: 'RFC 4255 (with RFC 6594, 7479 and 8709)',
  summary: 'The fingerprint of the SSH key of this host',
  example: '4 2 a87f1b687ac0e57d2a081a2f282672334d90ed316d2b818ca9580ea384d92401',
  trap: 'The base64 of "ssh-keygen -l"; "ssh-keygen -r name" prints the required hexadecimal form',
  fields: [numberOf('algorithm', 255), numberOf('fingerprint type', 255), hexOf('fingerprint')],
  check(values, _context, content) {
    const code = values['fingerprint type']
    checkDigest(values.fingerprint, DIGEST_BYTES[code], {
      content,
      kind: `fingerprint type ${code}`,
      name: 'fingerprint',
    })
  },
})
