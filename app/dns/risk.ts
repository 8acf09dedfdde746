import { effectsOf } from '#dns/effects'
import { namedValues, type NamedValues } from '#dns/rdata/named_values'
import type { RRsetChange } from '#dns/types'

/** How much a change can break. */
export type RiskLevel = 'low' | 'medium' | 'high'

/** What makes a change one that can break something. */
export const RISKS = [
  ...(['zone-delete', 'protected', 'apex-ns', 'soa', 'apex', 'delegation', 'dnssec'] as const),
  ...(['mail', 'wildcard', 'delete', 'size'] as const),
] as const

/** Why a change can break something; `riskText` says it in words. */
export interface RiskReason {
  /** Which sentence tells of it: `requests.risk_of_*` of the catalogues. */
  rule: (typeof RISKS)[number]
  level: Exclude<RiskLevel, 'low'>
  /** The RRsets it is about, or the zone that ends. */
  names: NamedValues
  /** RRsets that change, of `size`. */
  count?: number
}

/** What a change can break, and the worst of it. */
export interface Risk {
  level: RiskLevel
  reasons: RiskReason[]
}

/** What is planned for one zone, as far as its risk depends on it. */
export interface RiskyPlan {
  apex: string
  changes: RRsetChange[]
  isDeletion: boolean
  isProtected: (name: string) => boolean
}

/** RRsets of a change that is large, and of one that is very large. */
const MANY = 50
const VERY_MANY = 500

/** The risk of what is planned: the worst reason counts. */
export function riskOf(plans: RiskyPlan[]): Risk {
  const reasons = plans.flatMap(reasonsOf)
  const size = plans.reduce((sum, { changes }) => sum + changes.length, 0)
  if (size >= MANY) {
    const level = size >= VERY_MANY ? 'high' : 'medium'
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
  const gone = new Set(
    effectsOf(apex, changes)
      .filter(({ kind }) => kind === 'disappears')
      .map(({ name, type }) => `${name} ${type}`)
  )
  const isApex = (name: string) => name === apex
  const rules: [rule: RiskReason['rule'], level: RiskReason['level'], test: Test][] = [
    ['protected', 'high', ({ name }) => isProtected(name)],
    ['apex-ns', 'high', ({ name, type }) => isApex(name) && type === 'NS'],
    ['soa', 'medium', ({ type }) => type === 'SOA'],
    ['apex', 'medium', ({ name, type }) => isApex(name) && !['SOA', 'NS'].includes(type)],
    ['delegation', 'high', ({ name, type }) => !isApex(name) && type === 'NS'],
    ['dnssec', 'high', ({ type }) => ['DS', 'DNSKEY'].includes(type)],
    ['mail', 'medium', ({ type }) => type === 'MX'],
    ['wildcard', 'high', ({ name }) => name.startsWith('*.')],
    ['delete', 'medium', ({ name, type }) => gone.has(`${name} ${type}`)],
  ]
  return rules.flatMap(([rule, level, test]) => {
    const found = changes.filter(test).map(({ name, type }) => `${name} ${type}`)
    return found.length > 0 ? [{ rule, level, names: namedValues(found) }] : []
  })
}

type Test = (change: RRsetChange) => boolean
