import { brid, hhit, openpgpkey } from '#dns/records/blob'
import { cert } from '#dns/records/service/cert'
import { csync } from '#dns/records/dnssec/csync'
import { dhcid } from '#dns/records/service/dhcid'
import { cdnskey, dnskey, key, rkey } from '#dns/records/dnssec/dnskey'
import { cds, dlv, ds } from '#dns/records/dnssec/ds'
import { ipseckey } from '#dns/records/service/ipseckey'
import { nsec, nsec3, nsec3param } from '#dns/records/dnssec/nsec'
import type { RecordType } from '#dns/records/record_type'
import { rrsig, sig } from '#dns/records/dnssec/rrsig'
import { sshfp } from '#dns/records/service/sshfp'
import { smimea, tlsa } from '#dns/records/service/tlsa'
import { tkey, tsig } from '#dns/records/dnssec/tsig'
import { zonemd } from '#dns/records/dnssec/zonemd'

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
