import { brid, hhit, openpgpkey } from '#dns/records/blob'
import { cert } from '#dns/records/cert'
import { csync } from '#dns/records/csync'
import { dhcid } from '#dns/records/dhcid'
import { cdnskey, dnskey, key, rkey } from '#dns/records/dnskey'
import { cds, dlv, ds } from '#dns/records/ds'
import { ipseckey } from '#dns/records/ipseckey'
import { nsec, nsec3, nsec3param } from '#dns/records/nsec'
import type { RecordType } from '#dns/records/record_type'
import { rrsig, sig } from '#dns/records/rrsig'
import { sshfp } from '#dns/records/sshfp'
import { smimea, tlsa } from '#dns/records/tlsa'
import { tkey, tsig } from '#dns/records/tsig'
import { zonemd } from '#dns/records/zonemd'

export const securityTypes: RecordType[] = [
  brid,
  cdnskey,
  cds,
  cert,
  csync,
  dhcid,
  dlv,
  dnskey,
  ds,
  hhit,
  ipseckey,
  key,
  nsec,
  nsec3,
  nsec3param,
  openpgpkey,
  rkey,
  rrsig,
  sig,
  smimea,
  sshfp,
  tkey,
  tlsa,
  tsig,
  zonemd,
]
