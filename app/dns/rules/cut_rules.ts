import { isWithin } from '#dns/names'
import { isServed } from '#dns/rrset'
import { type ZoneRule } from '#dns/rules/rule'

/** Types that the zone itself answers at a delegation. */
const TYPES_AT_DELEGATION = new Set(['DS', 'NS', 'NSEC', 'RRSIG'])
/** NSEC3 and RRSIG records are allowed below the apex, whatever the apex contains. */
const TYPES_BELOW_DNAME = new Set(['NSEC3', 'RRSIG'])

/** Rules about the limits of a zone: apex, delegations and redirections. */
export const CUT_RULES: readonly ZoneRule[] = [
  {
    id: 'dname-below',
    severity: 'error',
    rfc: 'RFC 6672, 2.4',
    demands: 'There are no records below a name with a DNAME record.',
    check({ name, rrsets }, view) {
      const owner = view.redirectionAbove(name)
      const delegation = view.delegationOf(name)
      // A DNAME below a delegation has no effect in this zone.
      if (owner === undefined || (delegation && isWithin(owner, delegation))) return []
      return rrsets
        .filter(({ type }) => !TYPES_BELOW_DNAME.has(type))
        .map(({ type }) => ({
          type,
          message: `${owner} has a DNAME record, so no records are allowed below it`,
        }))
    },
  },
  {
    id: 'apex-ns',
    severity: 'warning',
    rfc: 'RFC 1034, 4.2.1',
    demands: 'The apex of a zone has NS records.',
    check: ({ apex, name }, view) =>
      name === apex && !view.serves(apex, ['NS'])
        ? [
            {
              type: 'NS',
              message:
                'the zone has no NS records at its apex; add the NS records of its name servers',
            },
          ]
        : [],
  },
  {
    id: 'occluded',
    severity: 'warning',
    rfc: 'RFC 5936, 3.5',
    demands:
      'At and below a delegation, there are only NS and DS records and addresses of name servers. Other records are not served.',
    check({ name, rrsets }, view) {
      const delegation = view.delegationOf(name)
      if (delegation === undefined) return []
      const isGlue = (type: string) => (type === 'A' || type === 'AAAA') && view.isNameServer(name)
      return rrsets
        .filter(isServed)
        .filter(
          ({ type }) => !(name === delegation && TYPES_AT_DELEGATION.has(type)) && !isGlue(type)
        )
        .map(({ type }) => ({
          type,
          message: `it is not served, because ${delegation} is delegated to other name servers`,
        }))
    },
  },
]
