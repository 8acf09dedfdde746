import { afsdb } from '#dns/records/afsdb'
import { apl } from '#dns/records/apl'
import { eui48, eui64 } from '#dns/records/eui'
import { hinfo } from '#dns/records/hinfo'
import { l32, l64, lp, nid } from '#dns/records/identifier_locator'
import { kx } from '#dns/records/kx'
import { loc } from '#dns/records/loc'
import { minfo, mr, rp } from '#dns/records/mailboxes'
import { maila, mailb } from '#dns/records/mail_queries'
import type { RecordType } from '#dns/records/record_type'
import { alias, dname } from '#dns/records/redirections'
import { spf } from '#dns/records/spf'
import { resinfo, wallet } from '#dns/records/string_lists'

/** Types of hosts, their mail and their place; and those that are text as TXT is. */
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
