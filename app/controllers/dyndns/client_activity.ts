import type { HttpContext } from '@adonisjs/core/http'
import type { Code } from '#controllers/dyndns/codes'
import { connectionAddress, type Family } from '#zones/dynamic_dns/addresses'
import { clientActivity } from '#zones/dynamic_dns/client_activity'
import type { HostResult } from '#zones/dynamic_dns/update_hosts'

const MAX_AGENT = 255

/**
 * Codes of hosts that the caller may change. With other codes, strangers could write entries of a
 * host.
 */
const RECORDED_CODES: readonly Code[] = ['good', 'nochg', 'abuse', 'dnserr', '911']

/** Adds an update of an authenticated caller to the client activity. */
export function recordUpdate(
  ctx: HttpContext,
  hostname: string,
  code: Code,
  result: HostResult
): void {
  if (!RECORDED_CODES.includes(code)) {
    return
  }
  const { actor } = ctx
  const addresses: Partial<Record<Family, string[]>> = {}
  const outcome = 'outcome' in result ? result.outcome : null
  outcome?.families.forEach((family) => (addresses[family] = outcome.applied[family]))
  clientActivity.addUpdate({
    hostname,
    zone: outcome?.zone ?? null,
    code,
    channel: actor.channel,
    address: addressOf(ctx),
    agent: agentOf(ctx),
    username: actor.username,
    keyId: actor.key?.id ?? null,
    addresses,
  })
}

/** Adds a refused update to the client activity. */
export function recordRefused(ctx: HttpContext, hosts: (string | null)[]): void {
  for (const hostname of hosts) {
    if (hostname !== null) {
      clientActivity.recordRefused(hostname, addressOf(ctx), agentOf(ctx))
    }
  }
}

function addressOf({ request }: HttpContext): string | null {
  return connectionAddress(request.ip())
}

/** The user agent: headers are bytes, and stored texts have no control characters. */
function agentOf({ request }: HttpContext): string {
  const text = Buffer.from(request.header('user-agent') ?? '', 'latin1').toString('utf8')
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .slice(0, MAX_AGENT)
    .toWellFormed()
}
