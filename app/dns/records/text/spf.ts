import type { RecordType } from '#dns/records/record_type'
import { txt } from '#dns/records/text/txt'

/** TXT replaced this type. */
export const spf: RecordType = {
  ...txt,
  type: 'SPF',
  rfc: 'RFC 7208, 3.1',
  summary: 'The hosts that may send mail for this name; replaced by TXT',
  example: '"v=spf1 mx -all"',
  trap: 'An SPF record without the same text in a TXT record; only TXT is read',
}
