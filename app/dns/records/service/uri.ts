import { byteText, parseStrings } from '#dns/rdata/character_strings'
import { defineRecordType } from '#dns/records/define'
import { lastStringOf, numberOf, refusal } from '#dns/records/fields'

/** 65535 bytes without the two numbers in front. */
const TARGET_LIMIT = 65531
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const CHARACTERS = /^[a-z0-9._~:/?#[\]@!$&'()*+,;=%-]*$/i
const INVALID_ESCAPE = /%(?![0-9a-f]{2})/i

export const uri = defineRecordType({
  type: 'URI',
  rfc: 'RFC 7553',
  summary: 'A URI for a name, with a priority and a weight',
  example: '10 1 "https://www.example.org/start"',
  trap: 'Priority and weight are both part of the content, and the URI is in quotes',
  fields: [
    numberOf('priority', 65535),
    numberOf('weight', 65535),
    lastStringOf('target', TARGET_LIMIT),
  ],
  check({ target }, _context, content) {
    const text = byteText(parseStrings(target)[0])
    if (!SCHEME.test(text) || !CHARACTERS.test(text) || INVALID_ESCAPE.test(text)) {
      throw refusal(
        content,
        'target',
        'a URI with its scheme, such as "https://www.example.org/", with %XX for characters that a URI does not allow (RFC 3986)'
      )
    }
  },
})
