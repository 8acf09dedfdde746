/** Groups of the name server's numbers, in the order in which they are shown. */
export const METRIC_GROUPS = [
  'queries',
  'cache',
  'dnssec',
  'errors',
  'performance',
  'other',
] as const
export type MetricGroup = (typeof METRIC_GROUPS)[number]

/** A number of the name server. */
export interface Metric {
  name: string
  /** null for a value that is not a number. */
  value: number | null
  text: string
  /** Percentage of the largest value of the group; null if the values of the group cannot be compared. */
  width: number | null
}

/** Numbers of a group. */
export interface MetricsView {
  group: MetricGroup
  metrics: Metric[]
}

/** Groups by name; the first matching pattern counts. */
const PATTERNS: [MetricGroup, RegExp][] = [
  ['performance', /^ring-|latency/],
  ['errors', /(?<!no)error|servfail|timedout|corrupt|overload|fail|drop|unauth|refused/],
  ['dnssec', /^(signature|signatures|key-cache|dnssec|udp-do)/],
  ['cache', /cache/],
  ['performance', /latency|msec|cpu|memory|^fd-|qsize|uptime|open-tcp|thread|backend-queries/],
  ['queries', /quer|answer|packets|dnsupdate|^(tcp|udp|rd|incoming|xfr|recursi)/],
]

/** Groups whose counters have the same unit. */
const CHART_GROUPS: ReadonlySet<MetricGroup> = new Set(['queries', 'cache', 'errors'])

/** Returns the metrics whose names contain the text, by group, without empty groups. */
export function metricGroups(metrics: ReadonlyMap<string, string>, text: string): MetricsView[] {
  const search = text.trim().toLowerCase()
  const matching = [...metrics].filter(([name]) => name.toLowerCase().includes(search))
  const byGroup = Map.groupBy(matching, ([name]) => groupOf(name))
  return METRIC_GROUPS.flatMap((group) => {
    const groupMetrics = byGroup.get(group) ?? []
    return groupMetrics.length > 0 ? [{ group, metrics: measured(group, groupMetrics) }] : []
  })
}

/** Hit rate of a cache in percent; null without a query. */
export function hitRate(metrics: ReadonlyMap<string, string>, cache: string): number | null {
  const [hits, misses] = ['hit', 'miss'].map((word) => Number(metrics.get(`${cache}-${word}`)))
  const asked = hits + misses
  return Number.isFinite(asked) && asked > 0 ? Math.round((hits / asked) * 100) : null
}

function groupOf(name: string): MetricGroup {
  return PATTERNS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
}

function measured(group: MetricGroup, groupMetrics: [string, string][]): Metric[] {
  const numbers = groupMetrics.map(([name, text]) => ({
    name,
    text,
    value: /^\d{1,15}$/.test(text) ? Number(text) : null,
  }))
  const isCounted = ({ name, value }: { name: string; value: number | null }) =>
    CHART_GROUPS.has(group) && value !== null && !/-bytes$|-size$/.test(name)
  const maximum = Math.max(0, ...numbers.filter(isCounted).map(({ value }) => value ?? 0))
  return numbers.map((metric) => ({
    ...metric,
    width:
      isCounted(metric) && metric.value !== 0
        ? Math.ceil(((metric.value ?? 0) / maximum) * 100)
        : null,
  }))
}
