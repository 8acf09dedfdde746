import type { BackendZone } from '#backends/contract/backend'
import type { ZoneReader } from '#changes/model/zone_reader'
import { flatMapYielding, mapYielding } from '#database/event_loop'
import { ancestorsWithin, isWithin } from '#dns/names'
import { targetsOf } from '#dns/rrset'
import { ZoneView } from '#dns/rules/zone_view'
import type { RRset, RRsetChange } from '#dns/types'

/** Types whose targets are read, and types whose targets must not be an alias. */
const POINTING_TYPES = ['CNAME', 'MX', 'NS', 'PTR', 'SRV']
const TYPES_NOT_TO_ALIASES = ['MX', 'NS', 'PTR', 'SRV']
/** Types for which a new alias is an error; the zone is searched for them. */
const TYPES_BROKEN_BY_ALIASES = ['MX', 'NS', 'SRV']
/** Maximum of names below a new delegation that get warnings. */
const MAX_WARNED_NAMES_BELOW = 10

/** State outside the changed names that the rules need to read. */
export interface RuleContext {
  /** RRsets at unchanged names; a name may be incomplete. */
  rrsets: RRset[]
  /** Unchanged names that may break a rule because of the changes. */
  affectedNames: string[]
  aliasesElsewhere: Set<string>
}

/**
 * Reads the context of changes: targets, delegations above, and records affected by new aliases,
 * delegations and DNAMEs. Each is one read for all changes. Records without targets directly below
 * the apex need no read.
 */
export async function readRuleContext(
  reader: ZoneReader,
  zone: BackendZone,
  before: RRset[],
  after: RRset[],
  changes: RRsetChange[]
): Promise<RuleContext> {
  const readNames = new Set([zone.name])
  await mapYielding([...before, ...after, ...changes], ({ name }) => readNames.add(name))
  const found = new Map<string, RRset>()
  const add = (sets: RRset[]) => {
    for (const set of sets) {
      if (!readNames.has(set.name)) found.set(`${set.name} ${set.type}`, set)
    }
  }
  const unread = (names: Iterable<string>) => [...new Set(names)].filter((it) => !readNames.has(it))

  const written = changes.flatMap((change) => change.after ?? [])
  const targets = await targetsIn(written, POINTING_TYPES)
  const targetsInZone = targets.filter((target) => isWithin(target, zone.name))
  const namesFor = (target: string) => [target, ...wildcardsFor(target, zone.name)]
  const sources = unread(await flatMapYielding(targetsInZone, namesFor))
  if (sources.length > 0) {
    add(await reader.rrsetsAt(zone, sources))
  }
  const origins = [...new Set([...written.map(({ name }) => name), ...targetsInZone])]
  const ancestors = await mapYielding(origins, (name) => ancestorsWithin(name, zone.name))
  const above = unread(ancestors.flat())
  if (above.length > 0) {
    add(await reader.cutsAt(zone, above))
  }

  const affectedNames = new Set<string>()
  const aliases = changes.filter(isNew('CNAME')).map(({ name }) => name)
  if (aliases.length > 0) {
    const pointing = await reader.rrsetsPointingTo(zone, TYPES_BROKEN_BY_ALIASES, aliases)
    add(pointing)
    pointing.forEach(({ name }) => affectedNames.add(name))
  }
  const newCuts = findNewCuts(zone, changes)
  if (newCuts.length > 0) {
    // Changed names are checked anyway: the limit is above their number to find others.
    const below = await reader.namesBelow(zone, newCuts, readNames.size + MAX_WARNED_NAMES_BELOW)
    const warnedNames = unread(below).sort().slice(0, MAX_WARNED_NAMES_BELOW)
    add(warnedNames.length > 0 ? await reader.rrsetsAt(zone, warnedNames) : [])
    warnedNames.forEach((name) => affectedNames.add(name))
  }
  const state = new ZoneView(zone.name, [...found.values(), ...after])
  const affected = [...found.values()].filter(({ name }) => affectedNames.has(name))
  const hosts = await findUnconfirmedGlue(state, [...written, ...affected])
  if (hosts.length > 0) {
    add(await reader.rrsetsPointingTo(zone, ['NS'], hosts))
  }
  const pointedTo = await targetsIn(written, TYPES_NOT_TO_ALIASES)
  const targetsElsewhere = pointedTo.filter(
    (target) => !isWithin(target, zone.name) || state.delegationOf(target) !== undefined
  )
  const elsewhere =
    targetsElsewhere.length > 0 ? await reader.aliasesAmong(targetsElsewhere, zone.id) : []
  return {
    rrsets: [...found.values()],
    affectedNames: [...affectedNames],
    aliasesElsewhere: new Set(elsewhere),
  }
}

async function targetsIn(sets: RRset[], types: string[]): Promise<string[]> {
  const pointing = sets.filter(({ type }) => types.includes(type))
  return [...new Set(await flatMapYielding(pointing, targetsOf))]
}

function wildcardsFor(name: string, apex: string): string[] {
  return [...ancestorsWithin(name, apex), apex].map((ancestor) => `*.${ancestor}`)
}

function isNew(type: string): (change: RRsetChange) => boolean {
  return (change) => change.type === type && change.after !== null && change.before === null
}

/** Names that are new delegations or DNAMEs, which cut off the names below them. */
function findNewCuts(zone: BackendZone, changes: RRsetChange[]): string[] {
  const isCut = (change: RRsetChange) => isNew('DNAME')(change) || isNewDelegation(zone, change)
  return [...new Set(changes.filter(isCut).map(({ name }) => name))]
}

function isNewDelegation(zone: BackendZone, { name, type, before, after }: RRsetChange): boolean {
  const isEnabled = (set: RRset | null) => set?.records.some(({ disabled }) => !disabled) ?? false
  return type === 'NS' && name !== zone.name && isEnabled(after) && !isEnabled(before)
}

/** Hosts with addresses below a delegation that no loaded NS record names. */
async function findUnconfirmedGlue(view: ZoneView, sets: RRset[]): Promise<string[]> {
  const hosts = sets.filter(({ type }) => type === 'A' || type === 'AAAA').map(({ name }) => name)
  const found = await mapYielding(new Set(hosts), (host) =>
    view.delegationOf(host) !== undefined && !view.isNameServer(host) ? [host] : []
  )
  return found.flat()
}
