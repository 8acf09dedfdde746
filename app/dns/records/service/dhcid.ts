import { defineRecordType } from '#dns/records/define'
import { base64Of, refusal } from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'

const SHA256 = 1
const SHA256_SIZE = 35

/** The DHCP client of the name: two bytes of identifier type, one of digest type, and the digest. */
export const dhcid: RecordType = defineRecordType({
  type: 'DHCID',
  rfc: 'RFC 4701',
  summary: 'The DHCP client that this name belongs to, as a digest',
  example: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
  trap: 'A DHCP server refuses to update a name with the DHCID of another client',
  fields: [base64Of('data', { min: 3 })],
  check({ data }, _context, content) {
    const bytes = Buffer.from(data, 'base64')
    if (bytes[2] === SHA256 && bytes.length !== SHA256_SIZE) {
      throw refusal(content, 'data', `${SHA256_SIZE} bytes for a SHA-256 digest (RFC 4701, 3.3)`)
    }
  },
})
