import { InvalidDns } from '#dns/errors'
import { byteText, parseStrings } from '#dns/rdata_text'
import type { RecordType } from '#dns/records/record_type'
import { txt } from '#dns/records/txt'
import { checkSpf } from '#dns/spf_terms'

const STRING_LIMIT = 255

/** SPF, which TXT has replaced. */
export const spf: RecordType = {
  ...txt,
  type: 'SPF',
  rfc: 'RFC 7208, 3.1',
  summary: 'Who may send mail for this name; no longer read, TXT has taken its place',
  example: '"v=spf1 mx -all"',
  trap: 'An SPF record without the same text as TXT, the only one that is read',
  canonical(content, context) {
    // The name is that of a policy for TXT only.
    const printed = txt.canonical(content, { ...context, name: '' })
    const strings = parseStrings(printed)
    if (strings.some(({ length }) => length > STRING_LIMIT)) {
      throw new InvalidDns('content', content, `strings of at most ${STRING_LIMIT} bytes`, {
        problem: 'has a string that is too long',
      })
    }
    checkSpf(strings.map(byteText).join(''), content)
    return printed
  },
}
