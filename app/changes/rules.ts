import type { BackendZone } from '#backends/contract'
import type { ZoneReader } from '#changes/record_actions'
import { isWithin } from '#dns/names'
import { recordType } from '#dns/records/registry'
import { nameRules, targetAliasViolation, type Violation } from '#dns/rules'
import type { RRset, RRsetChange } from '#dns/types'
import { conflict, invalid } from '#exceptions/refusal'

/** Types whose target must not be an alias (RFC 2181, 10.3). */
const POINTING_TYPES = ['MX', 'NS']

/**
 * Refuses changes by which the zone would break a rule that it does not break already: rows that another
 * tool left wrong must not keep anybody from writing beside them.
 */
export async function checkRules(
  reader: ZoneReader,
  zone: BackendZone,
  before: RRset[],
  after: RRset[],
  changes: RRsetChange[]
): Promise<void> {
  const names = new Set(changes.map((change) => change.name))
  const violations: Violation[] = []
  for (const name of names) {
    const known = new Set(brokenAt(zone, name, before).map(keyOf))
    violations.push(...brokenAt(zone, name, after).filter((found) => !known.has(keyOf(found))))
  }
  violations.push(...(await aliasViolations(reader, zone, after, changes)))
  const [first] = violations.filter((violation) => violation.severity === 'error')
  if (first) {
    throw first.rule === 'duplicate' ? conflict(first.message) : invalid(first.message)
  }
}

function brokenAt(zone: BackendZone, name: string, state: RRset[]): Violation[] {
  const sets = state.filter((set) => set.name === name)
  return nameRules(zone.name, name, sets)
}

function keyOf(violation: Violation): string {
  return `${violation.rule} ${violation.name} ${violation.type}`
}

/** MX and NS records that would point to an alias of this zone, whichever of the two is new. */
async function aliasViolations(
  reader: ZoneReader,
  zone: BackendZone,
  after: RRset[],
  changes: RRsetChange[]
): Promise<Violation[]> {
  const pointing = changes.flatMap(({ type, after: set }) =>
    set && POINTING_TYPES.includes(type) ? [set] : []
  )
  const newAliases = changes.flatMap((change) =>
    change.type === 'CNAME' && change.after && !change.before ? [change.name] : []
  )
  const targets = new Set(
    pointing.flatMap(targetsOf).filter((target) => isWithin(target, zone.name))
  )
  const stored = targets.size > 0 ? await reader.rrsetsAt(zone, [...targets]) : []
  const isAlias = (name: string) => {
    const isChanged = changes.some((change) => change.name === name && change.type === 'CNAME')
    const state = isChanged ? after : stored
    return state.some((set) => set.name === name && set.type === 'CNAME')
  }
  const violations = pointing.flatMap((set) =>
    targetsOf(set)
      .filter(isAlias)
      .map((target) => targetAliasViolation(set, target))
  )
  if (newAliases.length > 0) {
    const changed = new Set(changes.map((change) => `${change.name} ${change.type}`))
    const pointers = await reader.rrsetsPointingTo(zone, POINTING_TYPES, newAliases)
    for (const set of pointers.filter(({ name, type }) => !changed.has(`${name} ${type}`))) {
      const target = targetsOf(set).find((name) => newAliases.includes(name))
      violations.push(...(target ? [targetAliasViolation(set, target)] : []))
    }
  }
  return violations
}

function targetsOf(set: RRset): string[] {
  const type = recordType(set.type)
  return type ? set.records.flatMap((record) => type.targets(record.content)) : []
}
