import { CapabilityMissing } from '#backends/contract/errors'
import { configuredClient } from '#backends/powerdns_api/configured'
import type { CallCount } from '#backends/powerdns_api/http/metrics'
import { PowerDnsAutoprimaries } from '#backends/powerdns_api/autoprimaries'
import { readRunningServer, type RunningServer } from '#backends/powerdns_api/server_status'
import { probeServers, type ProbedServer } from '#health/autoprimary_probe'

/** Current state of the name server. */
export interface ServerStatusReport {
  server: RunningServer
  /** Result of the autoprimary probe; null if not requested. */
  autoprimaries: ProbedServer[] | null
}

/** Counts of one kind of call to the name server, since the start of this process. */
export interface ServerCalls extends CallCount {
  /** Method and path, without names and numbers. */
  name: string
}

/** Reports the state of the name server of the settings `pdns_api.*`. */
export class ServerStatus {
  readonly #client = configuredClient()

  /** Throws a `CapabilityMissing` if no name server is configured. */
  demandConfigured(): void {
    if (!this.#client.isConfigured) {
      throw new CapabilityMissing(
        'The server status needs the HTTP API of the PowerDNS server, which is not configured (settings pdns_api.url and pdns_api.key)'
      )
    }
  }

  /**
   * Queries the server; with `autoprimaries`, also tests connections to these. Throws
   * `BackendUnavailable` if the server does not answer.
   */
  async report({ autoprimaries }: { autoprimaries: boolean }): Promise<ServerStatusReport> {
    const [server, addresses] = await Promise.all([
      readRunningServer(this.#client),
      autoprimaries ? this.#addresses() : null,
    ])
    return { server, autoprimaries: addresses && (await probeServers(addresses)) }
  }

  /** Counts of the calls of this process to the server, sorted by name. */
  calls(): ServerCalls[] {
    return Object.entries(this.#client.counts)
      .map(([name, count]) => ({ name, ...count }))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Addresses of the autoprimaries, each once, in order. */
  async #addresses(): Promise<string[]> {
    const autoprimaries = await new PowerDnsAutoprimaries(this.#client).list()
    return [...new Set(autoprimaries.map(({ ip }) => ip))].sort()
  }
}
