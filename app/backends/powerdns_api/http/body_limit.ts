import { BackendUnavailable, WriteTooLarge } from '#backends/contract/errors'
import type { PowerDnsClient } from '#backends/powerdns_api/client'

/** Setting of PowerDNS that limits the size of a body. */
export const BODY_SETTING = 'webserver-max-bodysize'

/** Bytes that every server accepts, since its setting counts in megabytes. */
const MIN_SERVER_LIMIT_BYTES = 1_000_000
const MEGABYTE = 1024 * 1024

/**
 * Checks that the server accepts each of these bodies. The server closes the connection of a larger one before it received
 * all, often without an answer, so that the outcome would be unknown. If it does not report its limit, the body is sent.
 * Throws `WriteTooLarge`.
 */
export async function checkBodySize(client: PowerDnsClient, bodies: object[]): Promise<void> {
  const bytes = Math.max(0, ...bodies.map((body) => Buffer.byteLength(JSON.stringify(body))))
  const megabytes = bytes > MIN_SERVER_LIMIT_BYTES ? await readLimitMegabytes(client) : null
  if (megabytes !== null && bytes > megabytes * MEGABYTE) {
    throw new WriteTooLarge(
      `one call has ${bytes} bytes, but PowerDNS accepts at most ${megabytes} MB (its setting ${BODY_SETTING})`
    )
  }
}

async function readLimitMegabytes(client: PowerDnsClient): Promise<number | null> {
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
