import { effectsOf } from '#dns/effects'
import type { RRsetChange } from '#dns/types'

/** How much a change can break. */
export type RiskLevel = 'low' | 'medium' | 'high'

/** Why a change can break something. */
export interface RiskReason {
  rule: string
  level: Exclude<RiskLevel, 'low'>
  message: string
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

/** Names of a reason that are told. */
const MOST_NAMED = 5

/** The risk of what is planned: the worst reason counts. */
export function riskOf(plans: RiskyPlan[]): Risk {
  const reasons = plans.flatMap(reasonsOf)
  const size = plans.reduce((sum, { changes }) => sum + changes.length, 0)
  if (size >= MANY) {
    const level = size >= VERY_MANY ? 'high' : 'medium'
    reasons.push({ rule: 'size', level, message: `${size} RRsets change at once` })
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
    return [{ rule: 'zone-delete', level: 'high', message: `The zone ${apex} ends` }]
  }
  const gone = new Set(
    effectsOf(apex, changes)
      .filter(({ kind }) => kind === 'disappears')
      .map(({ name, type }) => `${name} ${type}`)
  )
  const rules: [rule: string, level: RiskReason['level'], what: string, test: Test][] = [
    ['protected', 'high', 'is protected', ({ name }) => isProtected(name)],
    ['apex-ns', 'high', 'tells who serves the zone', (it) => it.name === apex && it.type === 'NS'],
    ['soa', 'medium', 'tells replicas what to do', ({ type }) => type === 'SOA'],
    [
      'apex',
      'medium',
      'is the zone itself',
      (it) => it.name === apex && !['SOA', 'NS'].includes(it.type),
    ],
    [
      'delegation',
      'high',
      'decides over all names below it',
      (it) => it.name !== apex && it.type === 'NS',
    ],
    [
      'dnssec',
      'high',
      'is the link to a signed zone',
      ({ type }) => ['DS', 'DNSKEY'].includes(type),
    ],
    ['mail', 'medium', 'decides where mail goes', ({ type }) => type === 'MX'],
    [
      'wildcard',
      'high',
      'answers for every name that has no records',
      ({ name }) => name.startsWith('*.'),
    ],
    ['delete', 'medium', 'stops answering', (it) => gone.has(`${it.name} ${it.type}`)],
  ]
  return rules.flatMap(([rule, level, what, test]) => {
    const found = changes.filter(test).map(({ name, type }) => `${name} ${type}`)
    return found.length > 0 ? [{ rule, level, message: `${told(found)}: ${what}` }] : []
  })
}

type Test = (change: RRsetChange) => boolean

function told(names: string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
