import { invalidAnswer } from '#backends/powerdns_api/errors'

/** Properties of a PowerDNS server. */
export interface ServerInfo {
  id: string
  /** `authoritative` for an authoritative server. */
  daemonType: string
  /** Version text of the server: `4.7.3`, `5.0.0-beta1`. */
  version: string
}

const CACHE_TTL_MS = 60_000

/** Caches the properties of the server, which change with an upgrade only. */
export class ServerInfoCache {
  #cached: { info: Promise<ServerInfo>; until: number } | null = null

  constructor(
    private readonly readServer: () => Promise<unknown>,
    private readonly now: () => number = Date.now
  ) {}

  /** The properties, cached or read. Errors are not cached. Throws `BackendUnavailable`. */
  get(): Promise<ServerInfo> {
    if (this.#cached && this.now() < this.#cached.until) {
      return this.#cached.info
    }
    const cached = {
      info: this.readServer().then(parseServerInfo),
      until: this.now() + CACHE_TTL_MS,
    }
    this.#cached = cached
    cached.info.catch(() => {
      if (this.#cached === cached) {
        this.#cached = null
      }
    })
    return cached.info
  }
}

/** Parses the properties of the server. Throws `BackendUnavailable` for an invalid answer. */
export function parseServerInfo(answer: unknown): ServerInfo {
  const { id, daemon_type: daemonType, version } = (answer ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof daemonType !== 'string' || typeof version !== 'string') {
    throw invalidAnswer('no description of a server')
  }
  return { id, daemonType, version }
}

/** Whether a version is `major.minor` or newer. An unreadable version counts as the newest. */
export function isAtLeast(version: string, minVersion: string): boolean {
  const numbers = /^(\d{1,4})\.(\d{1,4})/.exec(version)
  const [major, minor] = minVersion.split('.').map(Number)
  // Builds from the source tree call themselves 0.0.<number>.
  if (!numbers || (numbers[1] === '0' && numbers[2] === '0')) {
    return true
  }
  const [found, foundMinor] = [Number(numbers[1]), Number(numbers[2])]
  return found > major || (found === major && foundMinor >= minor)
}
