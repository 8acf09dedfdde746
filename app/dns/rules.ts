import { recordType } from '#dns/records/registry'
import { isServiceName } from '#dns/records/srv'
import type { RRset } from '#dns/types'

/** A rule that a state of the zone breaks. */
export interface Violation {
  rule: string
  severity: 'error' | 'warning'
  name: string
  type: string
  message: string
}

/** Everything at one owner name, as it would be; RRsets without records are left out. */
interface NameState {
  apex: string
  name: string
  rrsets: RRset[]
}

/** A rule about one owner name. `check` names each type that breaks it, with the message. */
interface NameRule {
  readonly id: string
  readonly severity: Violation['severity']
  readonly rfc: string
  check(state: NameState): { type: string; message: string }[]
}

const BESIDE_CNAME = new Set(['CNAME', 'RRSIG', 'NSEC'])

/** The rules about one owner name, in the order they are reported in. */
export const NAME_RULES: readonly NameRule[] = [
  {
    id: 'cname-apex',
    severity: 'error',
    rfc: 'RFC 1912, 2.4',
    check: ({ apex, name, rrsets }) =>
      has(rrsets, 'CNAME') && name === apex
        ? [{ type: 'CNAME', message: `the apex of a zone has SOA and NS records and no CNAME` }]
        : [],
  },
  {
    id: 'cname-alone',
    severity: 'error',
    rfc: 'RFC 1034, 3.6.2',
    check({ apex, name, rrsets }) {
      const others = rrsets.map(({ type }) => type).filter((type) => !BESIDE_CNAME.has(type))
      if (!has(rrsets, 'CNAME') || others.length === 0 || name === apex) return []
      return [{ type: 'CNAME', message: `a CNAME stands alone, but there is ${others.join(', ')}` }]
    },
  },
  {
    id: 'soa-apex',
    severity: 'error',
    rfc: 'RFC 1035, 3.3.13',
    check: ({ apex, name, rrsets }) =>
      has(rrsets, 'SOA') && name !== apex
        ? [{ type: 'SOA', message: `an SOA record stands at the apex, ${apex}, only` }]
        : [],
  },
  {
    id: 'soa-single',
    severity: 'error',
    rfc: 'RFC 1035, 5.2',
    check({ apex, name, rrsets }) {
      const records = rrsets.find(({ type }) => type === 'SOA')?.records ?? []
      const live = records.filter(({ disabled }) => !disabled).length
      if (name !== apex || (records.length === 1 && live === 1)) return []
      const found = records.length === 1 ? 'a disabled one' : String(records.length)
      return [{ type: 'SOA', message: `a zone has exactly one SOA record, not ${found}` }]
    },
  },
  {
    id: 'singleton',
    severity: 'error',
    rfc: 'RFC 2181, 10.1',
    check: ({ rrsets }) =>
      rrsets
        .filter(({ type, records }) => type !== 'SOA' && records.length > 1 && isSingleton(type))
        .map(({ type, records }) => ({
          type,
          message: `there is at most one ${type} record at a name, not ${records.length}`,
        })),
  },
  {
    id: 'duplicate',
    severity: 'error',
    rfc: 'RFC 2181, 5',
    check: ({ rrsets }) =>
      rrsets.flatMap((rrset) => {
        const twice = firstDuplicate(rrset)
        if (twice === undefined) return []
        const message = `the ${rrset.type} record ${JSON.stringify(twice)} is there twice`
        return [{ type: rrset.type, message }]
      }),
  },
  {
    id: 'null-mx-alone',
    severity: 'error',
    rfc: 'RFC 7505, 3',
    check: ({ rrsets }) =>
      rrsets
        .filter(({ type, records }) => type === 'MX' && records.length > 1)
        .filter(({ records }) => records.some(({ content }) => content === '.'))
        .map(({ type }) => ({ type, message: 'the MX record "." stands alone' })),
  },
  {
    id: 'srv-owner',
    severity: 'error',
    rfc: 'RFC 2782',
    check: ({ name, rrsets }) =>
      has(rrsets, 'SRV') && !isServiceName(name)
        ? [{ type: 'SRV', message: 'the name of an SRV record starts with _service._proto' }]
        : [],
  },
]

/**
 * The rules that one owner name breaks.
 *
 * @param apex   canonical name of the zone
 * @param name   canonical owner name
 * @param rrsets all RRsets at this name, as they would be after a change
 */
export function nameRules(apex: string, name: string, rrsets: RRset[]): Violation[] {
  const state = { apex, name, rrsets: rrsets.filter(({ records }) => records.length > 0) }
  return NAME_RULES.flatMap(({ id, severity, rfc, check }) =>
    check(state).map(({ type, message }) => ({
      rule: id,
      severity,
      name,
      type,
      message: `${name} ${type}: ${message} (${rfc})`,
    }))
  )
}

/**
 * The violation of an MX or NS RRset that points to the owner of a CNAME (RFC 2181, 10.3). Which names
 * are aliases is the caller's to find out: from the targets of what changes, and, when a name becomes an
 * alias, from the RRsets that point to it.
 */
export function targetAliasViolation(rrset: RRset, aliasName: string): Violation {
  const { name, type } = rrset
  return {
    rule: 'target-is-alias',
    severity: 'error',
    name,
    type,
    message: `${name} ${type}: ${aliasName} is an alias (CNAME) and cannot be its target (RFC 2181, 10.3)`,
  }
}

function has(rrsets: RRset[], wanted: string): boolean {
  return rrsets.some(({ type }) => type === wanted)
}

function isSingleton(type: string): boolean {
  return recordType(type)?.singleton ?? false
}

function firstDuplicate({ records }: RRset): string | undefined {
  const seen = new Set<string>()
  for (const { content, priority } of records) {
    const key = `${priority} ${content}`
    if (seen.has(key)) return content
    seen.add(key)
  }
  return undefined
}
