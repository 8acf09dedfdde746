import type { Scene } from '#tests/support/conformance/scene'

/** Backend mode, for rules that apply to one mode only. */
export type Mode = 'sql' | 'api'

/** Rules of a section of the specification, by number or name, each with a short summary. */
export type SectionRules = Readonly<Record<string, string>>

/** Requests that show whether the service follows a rule. */
export interface Check {
  /** A rule of the section. */
  rule: string
  /** Subject of the check; empty if it is the whole rule. */
  what: string
  /** The only mode in which the check can run. Default: both. */
  only?: Mode
  run: (scene: Scene) => Promise<void>
}

/** The checks of one section. */
export interface Section {
  name: string
  checks: Check[]
}

/** Builds a section from its checks. */
export function section(name: string, ...checks: Check[]): Section {
  return { name, checks }
}

/** Builds a check of a rule. */
export function check(rule: string | number, what: string, run: Check['run']): Check {
  return { rule: String(rule), what, run }
}

/** Builds a check that can run in one mode only. */
export function checkIn(only: Mode, rule: string | number, what: string, run: Check['run']): Check {
  return { ...check(rule, what, run), only }
}

/** Counts the checks of each rule. Lists rules without a check and checks of unknown rules. */
export function coverageOf(
  rules: Readonly<Record<string, SectionRules>>,
  sections: Section[],
  mode: Mode
) {
  const counts = new Map<string, Map<string, number>>(
    Object.entries(rules).map(([name, list]) => [
      name,
      new Map(Object.keys(list).map((rule) => [rule, 0])),
    ])
  )
  const unknown: string[] = []
  for (const { name, checks } of sections) {
    for (const { rule, only } of checks) {
      const count = counts.get(name)?.get(rule)
      if (count === undefined) {
        unknown.push(`${name} ${rule}`)
      } else if (only === undefined || only === mode) {
        counts.get(name)!.set(rule, count + 1)
      }
    }
  }
  const lines = [...counts].map(([name, list]) => {
    const numbers = [...list.values()]
    return {
      name,
      rules: numbers.length,
      covered: numbers.filter((count) => count > 0).length,
      checks: numbers.reduce((sum, count) => sum + count, 0),
    }
  })
  const missing = [...counts].flatMap(([name, list]) =>
    [...list].filter(([, count]) => count === 0).map(([rule]) => `${name} ${rule}`)
  )
  return { lines, missing, unknown }
}
