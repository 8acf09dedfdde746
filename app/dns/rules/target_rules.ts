import { isWithin } from '#dns/names'
import { isServed, targetsOf } from '#dns/rrset'
import { type Finding, type ZoneRule } from '#dns/rules/rule'
import type { ZoneView } from '#dns/rules/zone_view'
import type { RRset } from '#dns/types'

/** Types that answer address queries. The name server resolves ALIAS and LUA to addresses. */
const ADDRESSES = ['A', 'AAAA', 'ALIAS', 'LUA']

/** Types whose missing targets break the record. */
const MISSING_TARGETS: [type: string, rfc: string][] = [
  ['CNAME', 'RFC 2308, 2.1'],
  ['MX', 'RFC 5321, 5.1'],
  ['NS', 'RFC 2181, 10.3'],
  ['SRV', 'RFC 2782'],
]

/**
 * Types whose target must not be an alias. For PTR the RFC says "should", which is why it is a warning.
 */
const ALIAS_RULES: readonly ZoneRule[] = [
  aliasRule('MX', 'error', 'RFC 2181, 10.3'),
  aliasRule('NS', 'error', 'RFC 2181, 10.3'),
  aliasRule('SRV', 'error', 'RFC 2782'),
  aliasRule('PTR', 'warning', 'RFC 2181, 10.2'),
]

/** Rules about targets of records. */
export const TARGET_RULES: readonly ZoneRule[] = [
  ...ALIAS_RULES,
  {
    id: 'glue-missing',
    severity: 'warning',
    rfc: 'RFC 1034, 4.2.1',
    demands: 'A name server of this zone, or below the delegation to it, has an address here.',
    check: ({ apex, name, rrsets }, view) =>
      servedTargets(view, name, rrsets, 'NS')
        .filter((target) => isWithin(target, name))
        .filter((target) =>
          name === apex ? isOwn(view, target) && !hasAddress(view, target) : !hasGlue(view, target)
        )
        .map((target) => ({
          type: 'NS',
          target,
          message: `the name server ${target} has no address here, so resolvers cannot find it`,
        })),
  },
  ...MISSING_TARGETS.map(([type, rfc]) => missingRule(type, rfc)),
]

function aliasRule(type: string, severity: ZoneRule['severity'], rfc: string): ZoneRule {
  const modal = severity === 'error' ? 'cannot' : 'should not'
  return {
    id: `${type.toLowerCase()}-target-alias`,
    severity,
    across: 'warning',
    rfc,
    demands: `The target of ${article(type)} ${type} record is not an alias (CNAME).`,
    check: ({ rrsets }, view) =>
      targets(rrsets, type).flatMap((target): Finding[] => {
        if (view.has(target, 'CNAME')) {
          const message = `${target} is an alias (CNAME) and ${modal} be the target of this record`
          return [{ type, target, message }]
        }
        if (!view.aliasesElsewhere.has(target)) return []
        const message = `${target} is an alias (CNAME) in its zone and should not be the target of this record`
        return [{ type, target, message, severity: 'warning' }]
      }),
  }
}

function missingRule(type: string, rfc: string): ZoneRule {
  const neededText = type === 'CNAME' ? 'records' : 'an address'
  const missingText = type === 'CNAME' ? 'no records' : 'no address'
  return {
    id: `${type.toLowerCase()}-target-missing`,
    severity: 'warning',
    rfc,
    demands: `The target of ${article(type)} ${type} record has ${neededText}, if this zone is authoritative for it.`,
    check: ({ apex, name, rrsets }, view) =>
      servedTargets(view, name, rrsets, type)
        .filter((target) => isOwn(view, target))
        // `glue-missing` covers name servers of the zone and those below their delegation.
        .filter((target) => !(type === 'NS' && (name === apex || isWithin(target, name))))
        .filter((target) => !(type === 'CNAME' ? exists(view, target) : hasAddress(view, target)))
        .map((target) => ({ type, target, message: `${target} has ${missingText} in this zone` })),
  }
}

function article(type: string): string {
  return type.startsWith('C') || type.startsWith('P') ? 'a' : 'an'
}

function targets(rrsets: RRset[], type: string): string[] {
  return rrsets.filter((set) => set.type === type).flatMap(targetsOf)
}

/** Returns the targets of enabled records of a type; none if a delegation hides them. */
function servedTargets(view: ZoneView, name: string, rrsets: RRset[], type: string): string[] {
  const sets = rrsets.filter((set) => set.type === type)
  if (sets.length === 0) return []
  const delegation = view.delegationOf(name)
  if (delegation !== undefined && !(type === 'NS' && delegation === name)) return []
  const enabled = sets.map((set) => ({
    ...set,
    records: set.records.filter(({ disabled }) => !disabled),
  }))
  return targets(enabled, type)
}

/** Returns whether this zone answers for the name: not delegated, not redirected. */
function isOwn(view: ZoneView, name: string): boolean {
  return (
    isWithin(name, view.apex) &&
    view.delegationOf(name) === undefined &&
    view.redirectionAbove(name) === undefined
  )
}

function exists(view: ZoneView, name: string): boolean {
  return view.rrsetsAt(name).some(isServed) || view.hasWildcardFor(name)
}

/** An alias counts; other rules check it. */
function hasAddress(view: ZoneView, name: string): boolean {
  if (view.serves(name, [...ADDRESSES, 'CNAME'])) return true
  return !view.rrsetsAt(name).some(isServed) && view.hasWildcardFor(name)
}

/** Wildcards are no glue. */
function hasGlue(view: ZoneView, name: string): boolean {
  return view.serves(name, ['A', 'AAAA', 'CNAME'])
}
