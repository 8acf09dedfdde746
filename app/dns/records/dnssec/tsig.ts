import { byteText } from '#dns/rdata/character_strings'
import { defineRecordType } from '#dns/records/define'
import { codeOf, hostOf, numberOf, refusal, wordField, type Field } from '#dns/records/fields'
import { numberFromWire } from '#dns/records/from_wire'
import type { RecordType } from '#dns/records/record_type'

const TIME_LIMIT = 2 ** 48 - 1
const ERRORS: Readonly<Record<string, number>> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADMODE: 19,
  BADNAME: 20,
  BADALG: 21,
  BADTRUNC: 22,
}

/** A number of bytes, then that many bytes in base64 unless it is 0. */
function sizedOf(name: string): Field {
  return {
    name,
    fromWire(data) {
      const bytes = data.sized(2)
      return bytes.length === 0 ? '0' : `${bytes.length} ${bytes.toString('base64')}`
    },
    read: ({ tokens: [size, data], content }) => {
      const number = size.quoted ? '' : byteText(size.bytes)
      if (!/^\d{1,5}$/.test(number) || Number(number) > 65535) {
        throw refusal(content, name, 'a size of 0 to 65535, and that number of bytes in base64')
      }
      if (Number(number) === 0) return { text: '0', taken: 1 }
      const text = data === undefined || data.quoted ? '' : byteText(data.bytes)
      const bytes = Buffer.from(text, 'base64')
      if (bytes.length !== Number(number) || bytes.toString('base64') !== text) {
        throw refusal(content, name, `${Number(number)} bytes in base64 after the size`)
      }
      return { text: `${bytes.length} ${text}`, taken: 2 }
    },
  }
}

/** Signs one message; never part of a zone. PowerDNS stores TSIG keys in a separate table. */
export const tsig: RecordType = defineRecordType({
  type: 'TSIG',
  rfc: 'RFC 8945',
  summary: 'The signature over one DNS message between two servers',
  example: 'hmac-sha256 1700000000 300 3 AQID 4660 0 0',
  trap: 'It is part of a message, not of a zone; keys for transfers are stored elsewhere',
  writer: 'server',
  fields: [
    hostOf('algorithm'),
    wordField('time signed', readTime, numberFromWire(6)),
    numberOf('fudge', 65535),
    sizedOf('MAC'),
    numberOf('original ID', 65535),
    codeOf('error', ERRORS, { max: 65535 }),
    sizedOf('other data'),
  ],
})

/** Negotiates a key in one message; never part of a zone. */
export const tkey: RecordType = defineRecordType({
  type: 'TKEY',
  rfc: 'RFC 2930',
  summary: 'The exchange of a secret key between a client and a server',
  example: 'gss-tsig 1700000000 1700003600 3 0 3 AQID 0',
  trap: 'It is part of a message, not of a zone; PowerDNS answers it only for GSS-TSIG',
  writer: 'server',
  fields: [
    hostOf('algorithm'),
    numberOf('inception', 4294967295),
    numberOf('expiration', 4294967295),
    numberOf('mode', 65535),
    codeOf('error', ERRORS, { max: 65535 }),
    sizedOf('key'),
    sizedOf('other data'),
  ],
})

function readTime(word: string, content: string): string {
  if (/^\d{1,15}$/.test(word) && Number(word) <= TIME_LIMIT) return String(Number(word))
  throw refusal(content, 'time signed', `seconds since 1970, 0 to ${TIME_LIMIT}`)
}
