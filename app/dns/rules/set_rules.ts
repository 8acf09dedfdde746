import { isDmarcName } from '#dns/rdata/dmarc'
import { InvalidDns } from '#dns/errors'
import { byteText, parseStrings } from '#dns/rdata/character_strings'
import { recordType } from '#dns/records/registry'
import { isServed } from '#dns/rrset'
import { type Finding, type NameRule } from '#dns/rules/rule'
import type { RecordData, RRset } from '#dns/types'

const STRING_LIMIT = 255
/** Canonical contents that ask the parent to delete the DS records (RFC 8078, 4). */
const DELETE_DS_CONTENT: Record<string, string> = { CDNSKEY: '0 3 0 AA==', CDS: '0 0 0 00' }

/** Rules about one RRset. */
export const SET_RULES: readonly NameRule[] = [
  {
    id: 'singleton',
    severity: 'error',
    rfc: 'RFC 2181, 10.1',
    demands: 'A name has at most one record of CNAME, DNAME and other single-record types.',
    check: ({ rrsets }) =>
      rrsets
        .filter(({ type, records }) => type !== 'SOA' && records.length > 1 && isSingleton(type))
        .map(({ type, records }) => ({
          type,
          message: `a name can have at most one ${type} record, not ${records.length}`,
        })),
  },
  {
    id: 'duplicate',
    severity: 'error',
    rfc: 'RFC 2181, 5',
    demands: 'A record, with its priority, exists only once. Disabled records count.',
    check: ({ rrsets }) =>
      rrsets.flatMap((rrset) =>
        duplicatesIn(rrset).map(({ content, priority }) => ({
          type: rrset.type,
          target: `${priority} ${content}`,
          message: `the ${rrset.type} record ${JSON.stringify(content)} exists twice`,
        }))
      ),
  },
  {
    id: 'null-mx-alone',
    severity: 'error',
    rfc: 'RFC 7505, 3',
    demands: 'A name with the MX record ".", which refuses mail, has no other MX records.',
    check: ({ rrsets }) =>
      rrsets
        .filter(({ type, records }) => type === 'MX' && records.length > 1)
        .filter(({ records }) => records.some(({ content }) => content === '.'))
        .map(({ type }) => ({ type, message: 'the MX record "." must be the only MX record' })),
  },
  {
    id: 'ds-delete-alone',
    severity: 'error',
    rfc: 'RFC 8078, 4',
    demands: 'A CDS or CDNSKEY record that requests the removal of DS is the only one of its type.',
    check: ({ rrsets }) =>
      rrsets
        .filter(({ type, records }) => type in DELETE_DS_CONTENT && records.length > 1)
        .filter(({ type, records }) => records.some((it) => it.content === DELETE_DS_CONTENT[type]))
        .map(({ type }) => ({
          type,
          message: `"${DELETE_DS_CONTENT[type]}", which requests the removal of DS, must be the only ${type} record`,
        })),
  },
  {
    id: 'txt-string-length',
    severity: 'error',
    rfc: 'RFC 1035, 3.3',
    demands: 'Each string of a TXT record with several strings has at most 255 bytes.',
    check: ({ rrsets }) =>
      longTexts(rrsets, (lengths) => lengths.length > 1).map((bytes) => ({
        type: 'TXT',
        message: `each of several strings can have at most ${STRING_LIMIT} bytes, not ${bytes}`,
      })),
  },
  {
    id: 'txt-split',
    severity: 'warning',
    rfc: 'RFC 1035, 3.3',
    demands:
      'A TXT record of one string has at most 255 bytes; a longer one is served in several strings.',
    check: ({ rrsets }) =>
      longTexts(rrsets, (lengths) => lengths.length === 1).map((bytes) => ({
        type: 'TXT',
        message: `a text of ${bytes} bytes is served as several strings of at most ${STRING_LIMIT}`,
      })),
  },
  {
    id: 'spf-single',
    severity: 'warning',
    rfc: 'RFC 7208, 3.2',
    demands: 'A name has at most one TXT record that starts with v=spf1.',
    check: ({ rrsets }) => findSeveral(rrsets, /^v=spf1(?: |$)/i, 'SPF policies make SPF fail'),
  },
  {
    id: 'dmarc-single',
    severity: 'warning',
    rfc: 'RFC 7489, 6.6.3',
    demands: 'A _dmarc name has at most one TXT record that starts with v=DMARC1.',
    check: ({ name, rrsets }) =>
      isDmarcName(name) ? findSeveral(rrsets, /^v=DMARC1/, 'DMARC policies have no effect') : [],
  },
  {
    id: 'svcb-one-mode',
    severity: 'warning',
    rfc: 'RFC 9460, 2.4.1',
    demands: 'The SVCB or HTTPS records of a name are all aliases (priority 0) or all services.',
    check: ({ rrsets }) =>
      rrsets
        .filter(({ type }) => type === 'SVCB' || type === 'HTTPS')
        .filter(
          (set) => new Set(servedRecords(set).map(({ content }) => /^0 /.test(content))).size > 1
        )
        .map(({ type }) => ({
          type,
          message: 'the RRset has an alias (priority 0), so its other records are ignored',
        })),
  },
]

function servedRecords(set: RRset): RecordData[] {
  return set.records.filter(({ disabled }) => !disabled)
}

function isSingleton(type: string): boolean {
  return recordType(type)?.singleton ?? false
}

/**
 * Returns each duplicate record once, by content: an existing duplicate does not excuse a new one.
 */
function duplicatesIn({ records }: RRset): RecordData[] {
  if (records.length < 2) return []
  const seenRecords = new Set<string>()
  const twice = new Map<string, RecordData>()
  for (const record of records) {
    const key = `${record.priority} ${record.content}`
    if (seenRecords.has(key)) twice.set(key, record)
    seenRecords.add(key)
  }
  return [...twice.values()].sort((a, b) => (a.content < b.content ? -1 : 1))
}

/**
 * Returns, for TXT records that are too long and match `isTooLong`, the bytes of the longest string.
 */
function longTexts(rrsets: RRset[], isTooLong: (lengths: number[]) => boolean): number[] {
  const contents = rrsets.filter(({ type }) => type === 'TXT').flatMap(({ records }) => records)
  const lengths = contents
    .filter(({ content }) => content.length > STRING_LIMIT + 2)
    .map(({ content }) => stringsOf(content).map((bytes) => bytes.length))
    .filter(isTooLong)
    .map((ofRecord) => Math.max(...ofRecord))
  const longest = Math.max(0, ...lengths)
  return longest > STRING_LIMIT ? [longest] : []
}

function findSeveral(rrsets: RRset[], start: RegExp, consequence: string): Finding[] {
  const set = rrsets.find((it) => it.type === 'TXT' && isServed(it))
  if (!set || set.records.length < 2) return []
  const matching = servedRecords(set).filter(({ content }) => {
    return start.test(stringsOf(content).map(byteText).join(''))
  })
  return matching.length > 1 ? [{ type: 'TXT', message: `${matching.length} ${consequence}` }] : []
}

/** Returns the strings of a TXT content; empty for invalid data of another program. */
function stringsOf(content: string): Uint8Array[] {
  try {
    return parseStrings(content)
  } catch (error) {
    if (error instanceof InvalidDns) return []
    throw error
  }
}
