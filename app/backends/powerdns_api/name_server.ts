import { CallRefused, type NameServer } from '#backends/name_server'
import { zonePath } from '#backends/powerdns_api/address'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { PowerDnsInvalid, PowerDnsMissing } from '#backends/powerdns_api/errors'
import type { BackendZone } from '#backends/types'

/** A PowerDNS server, told over its HTTP API. */
export class PowerDnsNameServer implements NameServer {
  constructor(private readonly client: PowerDnsClient) {}

  notify({ name }: BackendZone): Promise<void> {
    return told(this.client.notify(name))
  }

  retrieve({ name }: BackendZone): Promise<void> {
    return told(this.client.send('PUT', `${zonePath(name)}/axfr-retrieve`))
  }

  async flush({ name }: BackendZone): Promise<void> {
    await told(this.client.forgetMetadata(name))
    await told(this.client.flushCache(name))
  }
}

/** Waits for a call. A server that does not know the zone, or does not do this to it, refuses. */
async function told(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    throw error instanceof PowerDnsInvalid || error instanceof PowerDnsMissing
      ? new CallRefused(error.reason || error.message, { cause: error })
      : error
  }
}
