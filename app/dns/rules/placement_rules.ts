import { isServiceName } from '#dns/records/service/srv'
import { isServed } from '#dns/rrset'
import { has, type NameRule } from '#dns/rules/rule'

const ALLOWED_WITH_CNAME = new Set(['CNAME', 'RRSIG', 'NSEC'])

/** Types with a meaning only at an apex. Elsewhere they are harmless, so this is no error. */
const APEX_TYPES: [type: string, rfc: string][] = [
  ['CDNSKEY', 'RFC 7344, 4.1'],
  ['CDS', 'RFC 7344, 4.1'],
  ['CSYNC', 'RFC 7477, 2'],
  ['DNSKEY', 'RFC 4034, 2.1.1'],
  ['NSEC3PARAM', 'RFC 5155, 4'],
  ['ZONEMD', 'RFC 8976, 2.1'],
]

/** Rules about names at which a type is allowed, and about types at the same name. */
export const PLACEMENT_RULES: readonly NameRule[] = [
  {
    id: 'cname-apex',
    severity: 'error',
    rfc: 'RFC 1912, 2.4',
    demands: 'The apex of a zone has no CNAME record.',
    check: ({ apex, name, rrsets }) =>
      has(rrsets, 'CNAME') && name === apex
        ? [
            {
              type: 'CNAME',
              message: `the apex of a zone cannot have a CNAME record, because it has SOA and NS records`,
            },
          ]
        : [],
  },
  {
    id: 'cname-alone',
    severity: 'error',
    rfc: 'RFC 1034, 3.6.2',
    demands: 'A name with a CNAME record has no records of other types except those of DNSSEC.',
    check({ apex, name, rrsets }) {
      const otherTypes = rrsets
        .map(({ type }) => type)
        .filter((type) => !ALLOWED_WITH_CNAME.has(type))
      if (!has(rrsets, 'CNAME') || otherTypes.length === 0 || name === apex) return []
      return [
        {
          type: 'CNAME',
          message: `a CNAME must be the only record of its name, but there is also ${otherTypes.join(', ')}`,
        },
      ]
    },
  },
  {
    id: 'soa-apex',
    severity: 'error',
    rfc: 'RFC 1035, 3.3.13',
    demands: 'SOA records are allowed at the apex only.',
    check: ({ apex, name, rrsets }) =>
      has(rrsets, 'SOA') && name !== apex
        ? [{ type: 'SOA', message: `an SOA record is allowed only at the apex, ${apex}` }]
        : [],
  },
  {
    id: 'soa-single',
    severity: 'error',
    rfc: 'RFC 1035, 5.2',
    demands: 'The apex has exactly one SOA record, and it is not disabled.',
    check({ apex, name, rrsets }) {
      const records = rrsets.find(({ type }) => type === 'SOA')?.records ?? []
      const live = records.filter(({ disabled }) => !disabled).length
      if (name !== apex || (records.length === 1 && live === 1)) return []
      const countText = records.length === 1 ? 'a disabled one' : String(records.length)
      return [{ type: 'SOA', message: `a zone must have exactly one SOA record, not ${countText}` }]
    },
  },
  {
    id: 'srv-owner',
    severity: 'warning',
    rfc: 'RFC 2782',
    demands:
      'The name of an SRV record is _service._proto, or an instance name or a wildcard below it.',
    check: ({ name, rrsets }) =>
      has(rrsets, 'SRV') && !isServiceName(name)
        ? [{ type: 'SRV', message: 'clients query SRV records only at _service._proto names' }]
        : [],
  },
  {
    id: 'dname-ns',
    severity: 'error',
    rfc: 'RFC 6672, 2.3',
    demands: 'A name with a DNAME record has NS records at the apex only.',
    check: ({ apex, name, rrsets }) =>
      name !== apex && has(rrsets, 'DNAME') && has(rrsets, 'NS')
        ? [
            {
              type: 'DNAME',
              message: 'a name cannot be both redirected (DNAME) and delegated (NS)',
            },
          ]
        : [],
  },
  {
    id: 'ds-apex',
    severity: 'error',
    rfc: 'RFC 4035, 2.4',
    demands: 'The apex has no DS record: it belongs to the parent zone.',
    check: ({ apex, name, rrsets }) =>
      name === apex && has(rrsets, 'DS')
        ? [{ type: 'DS', message: 'the DS records of a zone belong in its parent zone' }]
        : [],
  },
  {
    id: 'ds-delegation',
    severity: 'warning',
    rfc: 'RFC 4034, 5',
    demands: 'A name with a DS record has the NS records of a delegation.',
    check: ({ apex, name, rrsets }) =>
      name !== apex && has(rrsets, 'DS') && !rrsets.some((it) => it.type === 'NS' && isServed(it))
        ? [
            {
              type: 'DS',
              message: 'there is no delegation (NS) here that the DS record could secure',
            },
          ]
        : [],
  },
  ...wildcardRules(),
  ...APEX_TYPES.map(([type, rfc]) => apexRule(type, rfc)),
]

function wildcardRules(): NameRule[] {
  const types: [type: string, rfc: string][] = [
    ['DNAME', 'RFC 4592, 4.4'],
    ['NS', 'RFC 4592, 4.2'],
  ]
  return types.map(([type, rfc]) => ({
    id: `wildcard-${type.toLowerCase()}`,
    severity: 'warning',
    rfc,
    demands: `A wildcard has no ${type} records: their effect is undefined.`,
    check: ({ name, rrsets }) =>
      name.startsWith('*.') && has(rrsets, type)
        ? [{ type, message: `the effect of ${type} records at a wildcard is not defined` }]
        : [],
  }))
}

function apexRule(type: string, rfc: string): NameRule {
  return {
    id: `${type.toLowerCase()}-apex`,
    severity: 'warning',
    rfc,
    demands: `${type} records are at the apex. They have no effect at other names.`,
    check: ({ apex, name, rrsets }) =>
      name !== apex && has(rrsets, type)
        ? [{ type, message: 'it has an effect only at the apex of a zone' }]
        : [],
  }
}
