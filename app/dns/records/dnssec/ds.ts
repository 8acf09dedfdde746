import { algorithm } from '#dns/records/dnssec/algorithm'
import { checkDigest, choiceOf } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import { codeOf, hexOf, numberOf, refusal, wordField } from '#dns/records/fields'
import { hexFromWire } from '#dns/records/from_wire'
import { withForms } from '#dns/records/forms'
import type { RecordType } from '#dns/records/record_type'

const DIGEST_TYPES = { 'SHA-1': 1, 'SHA1': 1, 'SHA-256': 2, 'SHA256': 2, 'SHA-384': 4, 'SHA384': 4 }
const DIGEST_BYTES: Readonly<Record<string, number>> = { 1: 20, 2: 32, 3: 32, 4: 48, 5: 32, 6: 32 }
const EXAMPLE_CONTENT =
  '60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'

interface TypeText {
  type: string
  rfc: string
  summary: string
  trap: string
}

function digestOfKey(about: TypeText): RecordType {
  return defineRecordType({
    ...about,
    example: EXAMPLE_CONTENT,
    fields: [
      numberOf('key tag', 65535),
      algorithm,
      codeOf('digest type', DIGEST_TYPES, { max: 255 }),
      hexOf('digest'),
    ],
    check(values, _context, content) {
      const code = values['digest type']
      checkDigest(values.digest, DIGEST_BYTES[code], { content, kind: `digest type ${code}` })
    },
  })
}

/** Digest of a key of a child zone, at the delegation. */
export const ds: RecordType = digestOfKey({
  type: 'DS',
  rfc: 'RFC 4034, 5',
  summary: 'The key that signs a delegated zone',
  trap: 'A DS for a key that the delegated zone does not have makes the zone unreachable',
})

/** As DS, for a separate registry that closed in 2017. */
export const dlv: RecordType = digestOfKey({
  type: 'DLV',
  rfc: 'RFC 4431',
  summary: 'A DS record in a lookaside registry; historic since RFC 8749',
  trap: 'Resolvers no longer query DLV records; the parent zone needs a DS record',
})

const digestForParent = digestOfKey({
  type: 'CDS',
  rfc: 'RFC 7344, 3.1',
  summary: 'The DS record that the parent zone should have',
  trap: '"0 0 0 00" asks the parent to delete the DS, and must be the only CDS record',
})

const noDigestForParent = defineRecordType({
  ...digestForParent,
  fields: [
    choiceOf('key tag', { numbers: [0], octets: 2 }),
    choiceOf('algorithm', { numbers: [0], mnemonics: { DELETE: 0 } }),
    choiceOf('digest type', { numbers: [0] }),
    wordField('digest', readNoDigest, hexFromWire),
  ],
})

/**
 * As DS, and a form that requests the removal of all DS records (RFC 8078, 4). PowerDNS publishes it with the metadata
 * PUBLISH-CDS. Users write records for zones that are signed elsewhere.
 */
export const cds: RecordType = withForms(digestForParent, ([, code = '']) =>
  /^0+$/.test(code) || code.toUpperCase() === 'DELETE' ? noDigestForParent : undefined
)

function readNoDigest(word: string, content: string): string {
  if (word === '00' || word === '0') return '00'
  throw refusal(content, 'digest', '00 with algorithm 0 (RFC 8078, 4)')
}
