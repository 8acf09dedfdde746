import { InvalidDns } from '#dns/errors'
import type { RecordType } from '#dns/records/record_type'

/** MAILA is a query type; no records exist. */
export const maila = mailQuery(
  'MAILA',
  'MX',
  'A query for the mail hosts of a name; replaced by MX'
)

/** MAILB is a query type; no records exist. */
export const mailb = mailQuery('MAILB', 'MR or MINFO', 'A query for the mailbox records of a name')

function mailQuery(type: string, instead: string, summary: string): RecordType {
  return {
    type,
    rfc: 'RFC 1035, 3.2.3',
    summary,
    example: '',
    trap: `Use as the type of a record; the records are of type ${instead}`,
    priority: false,
    singleton: false,
    writer: 'server',
    fields: [],
    parse: () => [],
    canonical(content) {
      throw new InvalidDns('content', content, `nothing; use type ${instead} (RFC 1035, 3.2.3)`, {
        problem: `cannot be stored, because ${type} is a query type and has no records`,
      })
    },
    present: (content) => content,
    targets: () => [],
  }
}
