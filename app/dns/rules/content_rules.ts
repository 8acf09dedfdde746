import { unreachableNetwork } from '#dns/addresses/special_networks'
import { caaFault } from '#dns/rdata/caa_values'
import { dmarcFault, isDmarcName } from '#dns/rdata/dmarc'
import { parseIpv6 } from '#dns/addresses/ipv6'
import { parseStrings, shownText } from '#dns/rdata/character_strings'
import { NUMBER_FIELDS } from '#dns/rdata/registries'
import { isServed, targetsOf } from '#dns/rrset'
import { type Finding, type NameRule } from '#dns/rules/rule'
import { spfFault } from '#dns/rdata/spf_terms'
import type { RRset } from '#dns/types'

const SPF_START = /^v=spf1(?: |$)/i
/** Targets with a meaning in response policy zones (doc.powerdns.com/recursor, RPZ). */
const POLICY_TARGET = /^(?:\*|rpz-[a-z-]+)$/
/** Types whose target is usually a host, or another name of the same domain. */
const POINTERS = new Set(['AFSDB', 'ALIAS', 'CNAME', 'DNAME', 'KX', 'LP', 'MX', 'NS', 'PTR', 'SRV'])
const HOST = /^[a-z0-9_.*-]+$/

/** Rules about one content. All are warnings, because DNS serves such contents too. */
export const CONTENT_RULES: readonly NameRule[] = [
  {
    id: 'dmarc-policy',
    severity: 'warning',
    rfc: 'RFC 7489, 6.3',
    demands: 'A TXT record at _dmarc that starts with v=DMARC1 is a valid policy.',
    check: ({ name, rrsets }) =>
      isDmarcName(name) ? faultsOf(rrsets, 'TXT', (text) => dmarcFault(text)) : [],
  },
  {
    id: 'spf-policy',
    severity: 'warning',
    rfc: 'RFC 7208, 12',
    demands: 'An SPF record, or a TXT record that starts with v=spf1, is a valid policy.',
    check: ({ rrsets }) => [
      ...faultsOf(rrsets, 'TXT', (text) => (SPF_START.test(text) ? spfFault(text) : undefined)),
      ...faultsOf(rrsets, 'SPF', (text) => spfFault(text)),
    ],
  },
  {
    id: 'address-scope',
    severity: 'warning',
    rfc: 'RFC 6890',
    demands: 'An A or AAAA record has an address that other hosts can reach.',
    check: ({ rrsets }) =>
      ['A', 'AAAA'].flatMap((type) =>
        contentsOf(rrsets, type).flatMap((content) => {
          const fault = scopeFault(content)
          return fault ? [{ type, message: `${content} ${fault}` }] : []
        })
      ),
  },
  {
    id: 'caa-property',
    severity: 'warning',
    rfc: 'RFC 8659, 4',
    demands: 'A CAA record has a tag that is registered at IANA, and a valid value.',
    check: ({ rrsets }) =>
      contentsOf(rrsets, 'CAA').flatMap((content) => {
        const message = caaFault(content)
        return message ? [{ type: 'CAA', message }] : []
      }),
  },
  {
    id: 'registered-number',
    severity: 'warning',
    rfc: 'RFC 8126',
    demands: 'Numbers of algorithms and digest types are registered at IANA.',
    check: ({ rrsets }) =>
      rrsets.flatMap(({ type }) =>
        (NUMBER_FIELDS[type] ?? []).flatMap(([word, { field, source, date, numbers }]) => {
          const found = contentsOf(rrsets, type).map((content) => content.split(' ')[word])
          return [...new Set(found)]
            .filter((number) => /^\d+$/.test(number) && !(number === '0' && type.startsWith('CD')))
            .filter((number) => !numbers.has(Number(number)))
            .map((number) => ({
              type,
              message: `the ${field} ${number} is not in the registry "${source}" of ${date}`,
            }))
        })
      ),
  },
  {
    id: 'naptr-flags',
    severity: 'warning',
    rfc: 'RFC 3404, 4.3',
    demands: 'A NAPTR record has one of the flags A, P, S and U, or none.',
    check: ({ rrsets }) =>
      contentsOf(rrsets, 'NAPTR').flatMap((content) => {
        const flags = /^\S+ \S+ "([^"]*)"/.exec(content)?.[1] ?? ''
        const message = `the flags "${flags}" do not belong to a known application; allowed: A, P, S, U or none`
        return /^[apsu]?$/i.test(flags) ? [] : [{ type: 'NAPTR', message }]
      }),
  },
  {
    id: 'afsdb-subtype',
    severity: 'warning',
    rfc: 'RFC 1183, 1',
    demands: 'The priority of an AFSDB record is its subtype: 1 (AFS) or 2 (DCE).',
    check: ({ rrsets }) =>
      rrsets
        .filter((set) => set.type === 'AFSDB' && isServed(set))
        .flatMap(({ records }) => [...new Set(records.map(({ priority }) => priority))])
        .filter((subtype) => subtype !== 1 && subtype !== 2)
        .map((subtype) => ({
          type: 'AFSDB',
          message: `the priority ${subtype} is not a subtype of AFSDB; allowed: 1 (AFS) or 2 (DCE)`,
        })),
  },
  {
    id: 'target-one-label',
    severity: 'warning',
    rfc: 'RFC 1034, 3.1',
    demands: 'The target of a record is not a top-level name.',
    check: ({ apex, rrsets }) =>
      pointers(rrsets, (target) => !target.includes('.') && !POLICY_TARGET.test(target))
        .filter(({ target }) => target !== apex)
        .map(({ type, target }) => ({
          type,
          message: `the target is the top-level name "${target}."; for a name in this zone, write ${target}.${apex}`,
        })),
  },
  {
    id: 'target-characters',
    severity: 'warning',
    rfc: 'RFC 1123, 2.1',
    demands: 'The target of a record contains only characters of host names.',
    check: ({ rrsets }) =>
      pointers(rrsets, (target) => !HOST.test(target) && !target.endsWith('.arpa'))
        .filter(({ type }) => type !== 'PTR' && type !== 'DNAME')
        .map(({ type, target }) => ({
          type,
          message: `"${target}" has characters that are not allowed in host names`,
        })),
  },
]

function pointers(
  rrsets: RRset[],
  isOdd: (target: string) => boolean
): { type: string; target: string }[] {
  return rrsets
    .filter((set) => POINTERS.has(set.type) && isServed(set))
    .flatMap((set) =>
      targetsOf(set)
        .filter(isOdd)
        .map((target) => ({ type: set.type, target }))
    )
}

function faultsOf(
  rrsets: RRset[],
  type: string,
  faultOf: (text: string) => { problem: string; allowed: string } | undefined
): Finding[] {
  return contentsOf(rrsets, type).flatMap((content) => {
    const text = textOf(content)
    const fault = text === undefined ? undefined : faultOf(text)
    return fault ? [{ type, message: `${fault.problem}; allowed: ${fault.allowed}` }] : []
  })
}

/** Returns the text of a content; undefined for invalid data of another program. */
function textOf(content: string): string | undefined {
  try {
    return shownText(Buffer.concat(parseStrings(content)))
  } catch {
    return undefined
  }
}

function contentsOf(rrsets: RRset[], recordType: string): string[] {
  const records = rrsets.find(({ type }) => type === recordType)?.records ?? []
  return records.filter(({ disabled }) => !disabled).map(({ content }) => content)
}

/** Returns the reason why an address is unreachable from outside; otherwise undefined. */
function scopeFault(content: string): string | undefined {
  const network = unreachableNetwork(content)
  if (network) return `is ${network.kind} (${network.rfc})`
  const groups = parseIpv6(content)
  if (!groups) return undefined
  if (groups.slice(0, 6).every((group) => group === 0)) {
    return 'is an IPv4-compatible address, which is deprecated (RFC 4291, 2.5.5.1)'
  }
  if ((groups[0] & 0xffc0) === 0xfec0) {
    return 'is a site-local address, which is deprecated (RFC 3879)'
  }
  return undefined
}
