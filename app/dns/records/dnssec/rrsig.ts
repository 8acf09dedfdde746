import { TTL_LIMIT } from '#dns/rdata/ttl'
import { algorithm } from '#dns/records/dnssec/algorithm'
import { defineRecordType } from '#dns/records/define'
import { base64Of, hostOf, numberOf, refusal, wordField, type Field } from '#dns/records/fields'
import { numberFromWire } from '#dns/records/from_wire'
import type { RecordType } from '#dns/records/record_type'
import { typeOf } from '#dns/records/dnssec/type_bitmap'
import { parseSignatureTime, printSignatureTime } from '#dns/rdata/signature_time'

const MAX_LABELS = 127
const HALF_RANGE = 2 ** 31
const EXAMPLE_CONTENT =
  'A 13 3 86400 20300322173103 20300220173103 2642 example.org oJB1W6WNGv+ldvQ3WDG0MQ=='

function timeOf(name: string): Field {
  const read = (word: string, content: string) => {
    const seconds = parseSignatureTime(word)
    if (seconds === undefined) {
      throw refusal(
        content,
        name,
        'YYYYMMDDHHMMSS in UTC, or seconds since 1970, up to the year 2106'
      )
    }
    return printSignatureTime(seconds)
  }
  return wordField(name, read, numberFromWire(4))
}

function signature(about: {
  type: string
  rfc: string
  summary: string
  trap: string
}): RecordType {
  return defineRecordType({
    ...about,
    example: EXAMPLE_CONTENT,
    writer: 'server',
    fields: [
      typeOf('type covered'),
      algorithm,
      numberOf('labels', MAX_LABELS),
      numberOf('original TTL', TTL_LIMIT),
      timeOf('expiration'),
      timeOf('inception'),
      numberOf('key tag', 65535),
      hostOf('signer', { allowRoot: true }),
      base64Of('signature', { max: 65_000 }),
    ],
    check({ expiration, inception }, _context, content) {
      const from = parseSignatureTime(inception)!
      const valid = (parseSignatureTime(expiration)! - from + 2 * HALF_RANGE) % (2 * HALF_RANGE)
      if (valid === 0 || valid >= HALF_RANGE) {
        throw refusal(content, 'expiration', 'a time after the inception (RFC 4034, 3.1.5)')
      }
    },
  })
}

/** PowerDNS signs each answer. Only zones that are signed elsewhere (PRESIGNED) store signatures. */
export const rrsig: RecordType = signature({
  type: 'RRSIG',
  rfc: 'RFC 4034, 3',
  summary: 'The signature over the records of one name and type',
  trap: 'The name server creates it; a manual record is invalid after the next change to the records or the key',
})

/** Former signature (RFC 2535), now used for messages only. PowerDNS never serves it from a zone. */
export const sig: RecordType = signature({
  type: 'SIG',
  rfc: 'RFC 2535, 4 (today RFC 2931)',
  summary: 'A signature over a message, or over records before RRSIG',
  trap: 'Signatures over records are RRSIG records; PowerDNS cannot serve SIG records',
})
