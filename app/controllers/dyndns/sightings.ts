import type { HttpContext } from '@adonisjs/core/http'
import type { Code } from '#controllers/dyndns/codes'
import { connectionAddress, type Family } from '#zones/dynamic_dns/addresses'
import { clientBoard } from '#zones/dynamic_dns/client_activity'
import type { HostResult } from '#zones/dynamic_dns/update_hosts'

const MAX_AGENT = 255

/** Codes that say something of a host of the caller's; others would let strangers write about it. */
const TOLD: readonly Code[] = ['good', 'nochg', 'abuse', 'dnserr', '911']

/** Tells the board of an update by a caller who was let in. */
export function noteSeen(ctx: HttpContext, hostname: string, code: Code, result: HostResult): void {
  if (!TOLD.includes(code)) {
    return
  }
  const { actor } = ctx
  const addresses: Partial<Record<Family, string[]>> = {}
  const outcome = 'outcome' in result ? result.outcome : null
  outcome?.families.forEach((family) => (addresses[family] = outcome.applied[family]))
  clientBoard.note({
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

/** Tells the board of an update by a caller who was not let in. */
export function noteRefused(ctx: HttpContext, hosts: (string | null)[]): void {
  for (const hostname of hosts) {
    if (hostname !== null) {
      clientBoard.noteRefused(hostname, addressOf(ctx), agentOf(ctx))
    }
  }
}

function addressOf({ request }: HttpContext): string | null {
  return connectionAddress(request.ip())
}

/** What the client calls itself: headers come as bytes, and no text of ours has control characters. */
function agentOf({ request }: HttpContext): string {
  const text = Buffer.from(request.header('user-agent') ?? '', 'latin1').toString('utf8')
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .slice(0, MAX_AGENT)
    .toWellFormed()
}
