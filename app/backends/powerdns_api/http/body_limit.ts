import { BackendUnavailable, WriteTooLarge } from '#backends/contract/errors'
import type { PowerDnsClient } from '#backends/powerdns_api/client'

/** The setting of PowerDNS that says how much it takes at once. */
export const BODY_SETTING = 'webserver-max-bodysize'

/** What every server takes, as its setting counts in megabytes: it is not asked about less. */
const SURE_BYTES = 1_000_000
const MEGABYTE = 1024 * 1024

/**
 * Demands that the server takes each of these bodies. It ends connections over a larger one before all of that is sent, so
 * that often no answer comes; nobody could tell from that whether the call was made. Where it does not say what it takes,
 * it is tried. Throws `WriteTooLarge`.
 */
export async function demandTaken(client: PowerDnsClient, bodies: object[]): Promise<void> {
  const bytes = Math.max(0, ...bodies.map((body) => Buffer.byteLength(JSON.stringify(body))))
  const megabytes = bytes > SURE_BYTES ? await allowed(client) : null
  if (megabytes !== null && bytes > megabytes * MEGABYTE) {
    throw new WriteTooLarge(
      `one call has ${bytes} bytes, and PowerDNS takes ${megabytes} MB at most (its setting ${BODY_SETTING})`
    )
  }
}

async function allowed(client: PowerDnsClient): Promise<number | null> {
  try {
    const settings = await client.get('/config')
    const found = (Array.isArray(settings) ? (settings as unknown[]) : []).find(
      (one) => (one as { name?: unknown } | null)?.name === BODY_SETTING
    )
    const value = Number((found as { value?: unknown } | undefined)?.value ?? Number.NaN)
    return Number.isInteger(value) ? value : null
  } catch (error) {
    if (error instanceof BackendUnavailable) {
      return null
    }
    throw error
  }
}
