import { InvalidDns } from '#dns/errors'
import { defineRecordType } from '#dns/records/define'
import { hostOf, mailboxOf } from '#dns/records/fields'

export const minfo = defineRecordType({
  type: 'MINFO',
  rfc: 'RFC 1035, 3.3.7',
  summary: 'The mailbox that is responsible for a mailing list, and the mailbox for its errors',
  example: 'owner.example.org errors.example.org',
  trap: 'A dot in the user part without a backslash before it',
  fields: [mailboxOf('responsible'), mailboxOf('errors')],
})

export const mr = defineRecordType({
  type: 'MR',
  rfc: 'RFC 1035, 3.3.8',
  summary: 'The new name of a mailbox',
  example: 'first\\.last.example.org',
  trap: 'A dot in the user part without a backslash before it',
  fields: [mailboxOf('mailbox')],
  check({ mailbox }, _context, content) {
    if (mailbox !== '.') return
    throw new InvalidDns('content', content, 'user@domain or its host form (RFC 1035, 3.3.8)', {
      problem: 'is not a mailbox',
    })
  },
})

export const rp = defineRecordType({
  type: 'RP',
  rfc: 'RFC 1183, 2.2',
  summary:
    'A responsible person: a mailbox, and a name with more information in TXT records ("." for none)',
  example: 'hostmaster.example.org people.example.org',
  trap: 'Only the mailbox; without a TXT name, the second field is "."',
  fields: [mailboxOf('mailbox'), hostOf('text', { allowRoot: true })],
  pointsTo: ['text'],
})
