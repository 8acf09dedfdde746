import { KEY_ALGORITHMS } from '#dns/dnssec/algorithms'
import { algorithm } from '#dns/records/dnssec/algorithm'
import { choiceOf } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import { base64Of, codeOf, numberOf, refusal, wordField } from '#dns/records/fields'
import { base64FromWire } from '#dns/records/from_wire'
import { withForms } from '#dns/records/forms'
import type { RecordType } from '#dns/records/record_type'

const KEY = base64Of('public key', { max: 65_531 })
const NO_KEY = 0xc000
const PROTOCOLS = { NONE: 0, TLS: 1, EMAIL: 2, DNSSEC: 3, IPSEC: 4, ALL: 255 }
const ED25519_KEY = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='

const signerFields = [
  // 256: zone key; +1: secure entry point; +128: revoked (RFC 5011).
  choiceOf('flags', { numbers: [0, 256, 257, 384, 385], octets: 2 }),
  choiceOf('protocol', { numbers: [3] }),
  algorithm,
  KEY,
]

/**
 * Public keys of a signed zone. PowerDNS publishes its own keys. Users write records for zones that are signed elsewhere or by
 * several signers (RFC 8901). With keys of its own, PowerDNS reads them only if direct-dnskey is enabled.
 */
export const dnskey: RecordType = defineRecordType({
  type: 'DNSKEY',
  rfc: 'RFC 4034, 2',
  summary: 'A public key that signs this zone',
  example: `257 3 15 ${ED25519_KEY}`,
  trap: 'Only keys of other signers belong here; PowerDNS adds them to its own with direct-dnskey=yes',
  fields: signerFields,
})

const keyForParent = defineRecordType({
  type: 'CDNSKEY',
  rfc: 'RFC 7344, 3.2',
  summary: 'The key that the parent zone should create its DS record from',
  example: `257 3 15 ${ED25519_KEY}`,
  trap: '"0 3 0 AA==" asks the parent to delete the DS, and must be the only CDNSKEY record',
  fields: signerFields,
})

const noKeyForParent = defineRecordType({
  ...keyForParent,
  fields: [
    choiceOf('flags', { numbers: [0], octets: 2 }),
    choiceOf('protocol', { numbers: [3] }),
    choiceOf('algorithm', { numbers: [0], mnemonics: { DELETE: 0 } }),
    wordField('public key', readNoKey, base64FromWire),
  ],
})

/** As DNSKEY, and a form that requests the removal of all DS records (RFC 8078, 4). */
export const cdnskey: RecordType = withForms(keyForParent, ([, , code]) =>
  isDelete(code) ? noKeyForParent : undefined
)

/** Former key record; SIG(0) and IPsec still use it. */
export const key: RecordType = defineRecordType({
  type: 'KEY',
  rfc: 'RFC 2535, 3 (limited by RFC 3445)',
  summary: 'A public key for SIG(0) or other uses except signing a zone',
  example: `512 3 15 ${ED25519_KEY}`,
  trap: 'Keys of a zone are DNSKEY records since RFC 3755, not KEY records',
  fields: [
    numberOf('flags', 65535),
    codeOf('protocol', PROTOCOLS, { max: 255 }),
    codeOf('algorithm', KEY_ALGORITHMS, { max: 255 }),
    KEY,
  ],
  check({ flags }, _context, content) {
    if ((Number(flags) & NO_KEY) === NO_KEY) {
      throw refusal(
        content,
        'flags',
        'flags that do not mean "no key" (bits 0 and 1, RFC 2535, 3.1.2)'
      )
    }
  },
})

/** A key to encrypt records; the draft did not become an RFC. */
export const rkey: RecordType = defineRecordType({
  type: 'RKEY',
  rfc: 'RFC 4034, 2.2 in its form (draft-reid-dnsext-rkey)',
  summary: 'A public key to encrypt records with; experimental',
  example: `0 3 15 ${ED25519_KEY}`,
  trap: 'Flags other than 0 make some resolvers drop the whole answer',
  fields: [
    numberOf('flags', 65535),
    codeOf('protocol', PROTOCOLS, { max: 255 }),
    codeOf('algorithm', KEY_ALGORITHMS, { max: 255 }),
    KEY,
  ],
})

function readNoKey(word: string, content: string): string {
  if (word === 'AA==' || word === '0') return 'AA=='
  throw refusal(content, 'public key', 'AA== with algorithm 0 (RFC 8078, 4)')
}

function isDelete(code = ''): boolean {
  return /^0+$/.test(code) || code.toUpperCase() === 'DELETE'
}
