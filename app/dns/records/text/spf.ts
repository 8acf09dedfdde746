import type { RecordType } from '#dns/records/record_type'
import { txt } from '#dns/records/text/txt'

/** TXT replaced this type. */
export const spf: RecordType = {
  ...txt,
  type: 'SPF',
  rfc: 'RFC 7208, 3.1',
  summary: 'Who may send mail for this name; no longer read, TXT has taken its place',
  example: '"v=spf1 mx -all"',
  trap: 'An SPF record without the same text as TXT, the only one that is read',
}
