import { hostName } from '#dns/names'
import { base32hex } from '#dns/dnssec/nsec3'
import { choiceOf } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import { numberOf, refusal, wordField, type Field } from '#dns/records/fields'
import { withForms } from '#dns/records/forms'
import type { RecordType } from '#dns/records/record_type'
import { typesOf } from '#dns/records/dnssec/type_bitmap'

/** Maximum iterations of any signer (RFC 5155, 10.3). */
const MAX_ITERATIONS = 2500
const SALT_DIGITS = 510
const WILDCARD = '*.'

/** The next owner name, with escapes as written; may be a wildcard. */
const NEXT_NAME: Field = {
  name: 'next name',
  read: ({ tokens: [token], content }) => {
    if (token.quoted) throw refusal(content, 'next name', 'without quotes')
    const word = token.raw
    const text = word.startsWith(WILDCARD)
      ? WILDCARD + hostName(word.slice(WILDCARD.length))
      : hostName(word, 'content', { allowRoot: true })
    return { text, taken: 1 }
  },
  fromWire: (data) => data.name(),
}

/** PowerDNS computes it from the names of the zone. */
export const nsec: RecordType = defineRecordType({
  type: 'NSEC',
  rfc: 'RFC 4034, 4',
  summary: 'The next name of a signed zone, and the types of this name',
  example: 'host.example.org A MX RRSIG NSEC',
  trap: 'The name server creates it; a manual record contradicts the signed ones',
  singleton: true,
  writer: 'server',
  fields: [NEXT_NAME, typesOf('types')],
})

const hashFields = [
  choiceOf('hash algorithm', { numbers: [1], mnemonics: { 'SHA-1': 1, 'SHA1': 1 } }),
  numberOf('flags', 1),
  numberOf('iterations', MAX_ITERATIONS),
  wordField('salt', readSalt, (data) => data.sized().toString('hex') || '-'),
]

const nameFields = [
  ...hashFields,
  wordField('next hash', readHash, (data) => base32hex(data.sized())),
]

const withTypes = defineRecordType({
  type: 'NSEC3',
  rfc: 'RFC 5155, 3',
  summary: 'The next hash of a name in a signed zone, and the types of this name',
  example: '1 0 0 - 2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG',
  trap: 'The name server creates it; a manual record contradicts the signed ones',
  singleton: true,
  writer: 'server',
  fields: [...nameFields, typesOf('types')],
})
const withoutTypes = defineRecordType({ ...withTypes, fields: nameFields })

/** PowerDNS computes it from the names of the zone. An empty non-terminal has no types. */
export const nsec3: RecordType = withForms(withTypes, (words) =>
  words.length === nameFields.length ? withoutTypes : undefined
)

/** PowerDNS creates it from the metadata of the same name. */
export const nsec3param: RecordType = defineRecordType({
  type: 'NSEC3PARAM',
  rfc: 'RFC 5155, 4',
  summary: 'The parameters for hashing the names of a signed zone',
  example: '1 0 0 -',
  trap: 'The parameters are metadata of the zone; a record alone has no effect. The recommended value is 1 0 0 -',
  writer: 'server',
  fields: hashFields,
})

function readSalt(word: string, content: string): string {
  const hex = word.toLowerCase()
  const bytes = /^[0-9a-f]+$/.test(hex) && hex.length % 2 === 0 && hex.length <= SALT_DIGITS
  if (word !== '-' && !bytes) {
    throw refusal(content, 'salt', '"-", or an even number of hexadecimal digits, at most 510')
  }
  return hex
}

function readHash(word: string, content: string): string {
  const hash = word.toLowerCase()
  if (!/^[0-9a-v]{32}$/.test(hash)) {
    throw refusal(content, 'next hash', '32 digits 0-9 a-v: a SHA-1 hash in base32hex')
  }
  return hash
}
