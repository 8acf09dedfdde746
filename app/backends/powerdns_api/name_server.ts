import { CallRefused, type NameServer } from '#backends/contract/name_server'
import { zonePath } from '#backends/powerdns_api/http/address'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { PowerDnsInvalid, PowerDnsMissing } from '#backends/powerdns_api/errors'
import type { BackendZone } from '#backends/contract/types'

/** Lifetime of the cached settings of the server. */
const CACHE_TTL_MS = 60_000

/** Timeout in seconds: a user waits for a warning. */
const SETTINGS_TIMEOUT_SECONDS = 2

/** A PowerDNS server by its HTTP API. */
export class PowerDnsNameServer implements NameServer {
  #lua: { answer: Promise<boolean | null>; until: number } | null = null

  constructor(
    private readonly client: PowerDnsClient,
    private readonly now: () => number = Date.now
  ) {}

  notify({ name }: BackendZone): Promise<void> {
    return callServer(this.client.notify(name))
  }

  retrieve({ name }: BackendZone): Promise<void> {
    return callServer(this.client.send('PUT', `${zonePath(name)}/axfr-retrieve`))
  }

  async flush({ name }: BackendZone): Promise<void> {
    await callServer(this.client.forgetMetadata(name))
    await callServer(this.client.flushCache(name))
  }

  runsLua(): Promise<boolean | null> {
    if (!this.#lua || this.now() >= this.#lua.until) {
      const settingsRequest = this.client.get('/config', { timeout: SETTINGS_TIMEOUT_SECONDS })
      const answer = settingsRequest.then(parseLuaSetting, () => null)
      this.#lua = { answer, until: this.now() + CACHE_TTL_MS }
    }
    return this.#lua.answer
  }
}

/** The setting in a list of settings, as PowerDNS reads it: `yes` and `shared` switch it on. */
function parseLuaSetting(settings: unknown): boolean | null {
  const list: { name?: unknown; value?: unknown }[] = Array.isArray(settings) ? settings : []
  const value = list.find((one) => one?.name === 'enable-lua-records')?.value
  return typeof value === 'string' ? value !== 'no' && value !== 'off' : null
}

/** Waits for a call. Throws `CallRefused` if the server does not have the zone or refuses the call. */
async function callServer(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    throw error instanceof PowerDnsInvalid || error instanceof PowerDnsMissing
      ? new CallRefused(error.reason || error.message, { cause: error })
      : error
  }
}
