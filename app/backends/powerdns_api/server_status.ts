import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { invalidAnswer } from '#backends/powerdns_api/errors'
import type { ServerInfo } from '#backends/powerdns_api/server_info'

/** A running name server, with its numbers by name, in the order of their names. */
export interface RunningServer extends ServerInfo {
  uptimeSeconds: number
  metrics: Map<string, string>
}

/** Reads the properties and statistics of the server. Throws `BackendUnavailable`. */
export async function readRunningServer(client: PowerDnsClient): Promise<RunningServer> {
  const [info, statistics] = await Promise.all([
    client.server(),
    client.get('/statistics?includerings=false'),
  ])
  const metrics = metricsOf(statistics)
  const uptime = metrics.get('uptime')
  if (uptime === undefined || !/^\d{1,15}$/.test(uptime)) {
    throw invalidAnswer('no uptime')
  }
  return { ...info, uptimeSeconds: Number(uptime), metrics }
}

/** The simple statistics, without maps and rings. */
function metricsOf(answer: unknown): Map<string, string> {
  if (!Array.isArray(answer)) {
    throw invalidAnswer('no list of statistics')
  }
  const items = answer.flatMap((item): [string, string][] => {
    const { name, type, value } = (item ?? {}) as Record<string, unknown>
    return type === 'StatisticItem' && typeof name === 'string' && typeof value === 'string'
      ? [[name, value]]
      : []
  })
  return new Map(items.sort(([a], [b]) => (a < b ? -1 : Number(a > b))))
}
