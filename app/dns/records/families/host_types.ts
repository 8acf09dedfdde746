import { afsdb } from '#dns/records/service/afsdb'
import { apl } from '#dns/records/address/apl'
import { eui48, eui64 } from '#dns/records/address/eui'
import { hinfo } from '#dns/records/text/hinfo'
import { l32, l64, lp, nid } from '#dns/records/address/identifier_locator'
import { kx } from '#dns/records/service/kx'
import { loc } from '#dns/records/address/loc'
import { minfo, mr, rp } from '#dns/records/mail/mailboxes'
import { maila, mailb } from '#dns/records/mail/mail_queries'
import type { RecordType } from '#dns/records/record_type'
import { alias, dname } from '#dns/records/name/redirections'
import { spf } from '#dns/records/text/spf'
import { resinfo, wallet } from '#dns/records/text/string_lists'

/** Types about hosts, mail and locations, and types with text like TXT. */
export const hostTypes: RecordType[] = [
  afsdb,
  alias,
  apl,
  dname,
  eui48,
  eui64,
  hinfo,
  kx,
  l32,
  l64,
  loc,
  lp,
  maila,
  mailb,
  minfo,
  mr,
  nid,
  resinfo,
  rp,
  spf,
  wallet,
]
