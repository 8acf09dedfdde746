import { effectsOf } from '#dns/effects'
import { namedValues, type NamedValues } from '#dns/rdata/named_values'
import type { RRsetChange } from '#dns/types'

/** Level of risk of a change. */
export type RiskLevel = 'low' | 'medium' | 'high'

/** Kinds of risks. */
export const REASONS_BY_LEVEL = [
  ...(['zone-delete', 'protected', 'apex-ns', 'soa', 'apex', 'delegation', 'dnssec'] as const),
  ...(['mail', 'wildcard', 'delete', 'size'] as const),
] as const

/** A reason for a risk; `riskText` returns the sentence. */
export interface RiskReason {
  /** Suffix of the translation key `requests.risk_of_*`. */
  rule: (typeof REASONS_BY_LEVEL)[number]
  level: Exclude<RiskLevel, 'low'>
  /** Affected RRsets, or the deleted zone. */
  names: NamedValues
  /** Number of changed RRsets, for `size`. */
  count?: number
}

/** The reasons, and the highest level. */
export interface Risk {
  level: RiskLevel
  reasons: RiskReason[]
}

/** Members of a plan that decide its risk. */
export interface RiskyPlan {
  apex: string
  changes: RRsetChange[]
  isDeletion: boolean
  isProtected: (name: string) => boolean
}

/** Number of RRsets in a large and in a very large change. */
const MANY_CHANGES = 50
const VERY_MANY_CHANGES = 500

/** Returns the risk of plans: the highest level of all reasons. */
export function riskOf(plans: RiskyPlan[]): Risk {
  const reasons = plans.flatMap(reasonsOf)
  const size = plans.reduce((sum, { changes }) => sum + changes.length, 0)
  if (size >= MANY_CHANGES) {
    const level = size >= VERY_MANY_CHANGES ? 'high' : 'medium'
    reasons.push({ rule: 'size', level, names: namedValues([]), count: size })
  }
  const level = reasons.some((reason) => reason.level === 'high')
    ? 'high'
    : reasons.length > 0
      ? 'medium'
      : 'low'
  return { level, reasons }
}

function reasonsOf({ apex, changes, isDeletion, isProtected }: RiskyPlan): RiskReason[] {
  if (isDeletion) {
    return [{ rule: 'zone-delete', level: 'high', names: namedValues([apex]) }]
  }
  const deletedTargets = new Set(
    effectsOf(apex, changes)
      .filter(({ kind }) => kind === 'disappears')
      .map(({ name, type }) => `${name} ${type}`)
  )
  const isApex = (name: string) => name === apex
  const rules: [rule: RiskReason['rule'], level: RiskReason['level'], test: ChangeTest][] = [
    ['protected', 'high', ({ name }) => isProtected(name)],
    ['apex-ns', 'high', ({ name, type }) => isApex(name) && type === 'NS'],
    ['soa', 'medium', ({ type }) => type === 'SOA'],
    ['apex', 'medium', ({ name, type }) => isApex(name) && !['SOA', 'NS'].includes(type)],
    ['delegation', 'high', ({ name, type }) => !isApex(name) && type === 'NS'],
    ['dnssec', 'high', ({ type }) => ['DS', 'DNSKEY'].includes(type)],
    ['mail', 'medium', ({ type }) => type === 'MX'],
    ['wildcard', 'high', ({ name }) => name.startsWith('*.')],
    ['delete', 'medium', ({ name, type }) => deletedTargets.has(`${name} ${type}`)],
  ]
  return rules.flatMap(([rule, level, test]) => {
    const matchingNames = changes.filter(test).map(({ name, type }) => `${name} ${type}`)
    return matchingNames.length > 0 ? [{ rule, level, names: namedValues(matchingNames) }] : []
  })
}

type ChangeTest = (change: RRsetChange) => boolean
