import {
  ADDRESS,
  DIGEST_LIST,
  KEY_NAME,
  NETWORK_OR_EXCEPTION,
  NETWORK_OR_NAME_SERVERS,
  NSEC3_PARAMETERS,
  SCRIPT,
  SERVER,
  ZERO_OR_ONE,
  TEXT,
  WORD,
  oneOf,
  type ValueRule,
} from '#dns/metadata/values'

/**
 * Who may write a kind: actors with the right on zone settings, administrators only (the value
 * controls code on the name server), or the name server only.
 */
export type MetadataWriter = 'manager' | 'administrator' | 'server'

/** A kind of PowerDNS zone metadata. */
export interface MetadataKind {
  kind: string
  /** Effect of the kind, in one line. */
  summary: string
  /** RFC, or PowerDNS for its extensions. */
  reference: string
  /** Whether it may have several values. */
  isList: boolean
  value: ValueRule
  writer: MetadataWriter
  /** Access over the PowerDNS HTTP API: as metadata, as a zone property, or none. */
  overApi: 'metadata' | 'zone' | 'none'
  /**
   * Whether it changes the served records: then the serial increases and secondaries transfer the
   * zone.
   */
  isServed: boolean
  /** Whether it controls who else may write records (DNS UPDATE, transfer from a primary). */
  isSource: boolean
  /** Whether it controls who may transfer the zone or receives NOTIFY. */
  isTransfer: boolean
  /** Whether it changes the order names: then the zone must be rectified. */
  isDenial: boolean
}

type KindTerms = Pick<MetadataKind, 'summary' | 'reference' | 'value'> & Partial<MetadataKind>

function singleValueKind(kind: string, terms: KindTerms): MetadataKind {
  const defaults = { isList: false, writer: 'manager', overApi: 'metadata' } as const
  const no = { isServed: false, isSource: false, isTransfer: false, isDenial: false }
  return { kind, ...defaults, ...no, ...terms }
}

function listKind(kind: string, terms: KindTerms): MetadataKind {
  return singleValueKind(kind, { ...terms, isList: true })
}

const POLICY = oneOf('DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE')

/** Kinds that PowerDNS defines, by name. */
export const METADATA_KINDS: readonly MetadataKind[] = [
  listKind('ALLOW-AXFR-FROM', {
    summary: 'Addresses that may transfer the whole zone, in addition to allow-axfr-ips',
    reference: 'RFC 5936, 5',
    value: NETWORK_OR_NAME_SERVERS,
    isTransfer: true,
  }),
  listKind('ALLOW-DNSUPDATE-FROM', {
    summary:
      'Addresses that may change the zone by dynamic updates, in addition to allow-dnsupdate-from',
    reference: 'RFC 2136',
    value: NETWORK_OR_EXCEPTION,
    isSource: true,
  }),
  listKind('ALSO-NOTIFY', {
    summary: 'Servers that receive NOTIFY in addition to those of the NS records',
    reference: 'RFC 1996',
    value: SERVER,
    isTransfer: true,
  }),
  singleValueKind('API-RECTIFY', {
    summary: 'Whether the PowerDNS HTTP API rectifies the zone after its own changes',
    reference: 'PowerDNS',
    value: ZERO_OR_ONE,
    overApi: 'zone',
  }),
  singleValueKind('AXFR-MASTER-TSIG', {
    summary: 'TSIG key for transfers of a secondary zone from its primary',
    reference: 'RFC 8945',
    value: KEY_NAME,
    overApi: 'none',
    isSource: true,
  }),
  singleValueKind('AXFR-SOURCE', {
    summary: 'Local address for transfers of a secondary zone from its primary',
    reference: 'RFC 5936',
    value: ADDRESS,
  }),
  singleValueKind('CATALOG-HASH', {
    summary: 'State of a catalog zone, maintained by the name server',
    reference: 'RFC 9432',
    value: TEXT,
    writer: 'server',
    overApi: 'none',
  }),
  singleValueKind('ENABLE-LUA-RECORDS', {
    summary: 'Whether LUA records of the zone run even if enable-lua-records is off',
    reference: 'PowerDNS',
    value: ZERO_OR_ONE,
    writer: 'administrator',
    overApi: 'none',
  }),
  singleValueKind('FORWARD-DNSUPDATE', {
    summary: 'With any value, updates of a secondary zone are forwarded to its primary',
    reference: 'RFC 2136, 6',
    value: TEXT,
    isSource: true,
  }),
  singleValueKind('GSS-ACCEPTOR-PRINCIPAL', {
    summary: 'Kerberos principal of the name server for dynamic updates',
    reference: 'RFC 3645',
    value: WORD,
    isSource: true,
  }),
  listKind('GSS-ALLOW-AXFR-PRINCIPAL', {
    summary: 'Kerberos principals that may transfer the whole zone',
    reference: 'RFC 3645',
    value: WORD,
    isTransfer: true,
  }),
  singleValueKind('IXFR', {
    summary: 'Whether a secondary zone is transferred incrementally',
    reference: 'RFC 1995',
    value: ZERO_OR_ONE,
  }),
  singleValueKind('LUA-AXFR-SCRIPT', {
    summary: 'Script that edits a secondary zone after its transfer; NONE for no script',
    reference: 'PowerDNS',
    value: SCRIPT,
    writer: 'administrator',
    overApi: 'none',
  }),
  singleValueKind('NOTIFY-DNSUPDATE', {
    summary: 'Whether secondaries receive NOTIFY immediately after a dynamic update',
    reference: 'RFC 1996',
    value: ZERO_OR_ONE,
  }),
  singleValueKind('NSEC3NARROW', {
    summary: 'Whether denials are computed for each query (narrow mode); needs NSEC3PARAM',
    reference: 'RFC 7129, B',
    value: ZERO_OR_ONE,
    overApi: 'zone',
    isServed: true,
    isDenial: true,
  }),
  singleValueKind('NSEC3PARAM', {
    summary: 'Parameters of NSEC3 denials; without it, the zone uses NSEC',
    reference: 'RFC 5155, 4',
    value: NSEC3_PARAMETERS,
    overApi: 'zone',
    isServed: true,
    isDenial: true,
  }),
  singleValueKind('PRESIGNED', {
    summary: 'Whether the zone was signed elsewhere and contains its signatures',
    reference: 'RFC 4035, 2',
    value: ZERO_OR_ONE,
    overApi: 'none',
  }),
  singleValueKind('PUBLISH-CDNSKEY', {
    summary:
      'CDNSKEY records of the keys (1), or the record that requests the removal of all DS records (0)',
    reference: 'RFC 7344; RFC 8078',
    value: ZERO_OR_ONE,
    isServed: true,
  }),
  listKind('PUBLISH-CDS', {
    summary:
      'CDS records with these digest types, or the record that requests the removal of all DS records (0)',
    reference: 'RFC 7344; RFC 8078',
    value: DIGEST_LIST,
    isServed: true,
  }),
  singleValueKind('RFC1123-CONFORMANCE', {
    summary:
      'Whether a secondary zone is transferred only if its host names consist of letters, digits and hyphens',
    reference: 'RFC 1123, 2.1',
    value: ZERO_OR_ONE,
  }),
  singleValueKind('SIGNALING-ZONE', {
    summary: 'Whether the zone publishes keys of other zones for their first DS records',
    reference: 'RFC 9615',
    value: ZERO_OR_ONE,
  }),
  singleValueKind('SLAVE-RENOTIFY', {
    summary: 'Whether a secondary zone sends NOTIFY to further servers after its transfer',
    reference: 'RFC 1996',
    value: ZERO_OR_ONE,
  }),
  singleValueKind('SOA-EDIT', {
    summary:
      'How the served serial of a signed zone changes, so that secondaries fetch new signatures',
    reference: 'PowerDNS',
    value: oneOf('INCEPTION-INCREMENT', 'INCREMENT-WEEKS', 'EPOCH', 'INCEPTION-EPOCH', 'NONE'),
    overApi: 'zone',
  }),
  singleValueKind('SOA-EDIT-API', {
    summary: 'How the serial changes after a change through the PowerDNS HTTP API',
    reference: 'PowerDNS',
    value: POLICY,
    overApi: 'zone',
  }),
  singleValueKind('SOA-EDIT-DNSUPDATE', {
    summary: 'How the serial changes after a dynamic update',
    reference: 'RFC 2136, 3.6',
    value: POLICY,
  }),
  listKind('TSIG-ALLOW-AXFR', {
    summary: 'TSIG keys that may transfer the whole zone',
    reference: 'RFC 8945',
    value: KEY_NAME,
    overApi: 'zone',
    isTransfer: true,
  }),
  listKind('TSIG-ALLOW-DNSUPDATE', {
    summary: 'TSIG keys that may change the zone by dynamic updates',
    reference: 'RFC 8945',
    value: KEY_NAME,
    isSource: true,
  }),
]
