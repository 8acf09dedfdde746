import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { answerOutcome } from '#controllers/support/answer_outcome'
import { validBody } from '#controllers/support/request_body'
import { refuseConditions, writeTerms } from '#controllers/support/write_terms'
import { recordUpdate } from '#controllers/dyndns/client_activity'
import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { invalid } from '#exceptions/refusal'
import { dynamicUpdateItem } from '#transformers/dynamic_dns'
import { success } from '#transformers/envelope'
import { dynamicDnsValidator } from '#validators/dynamic_dns'
import {
  ipv4Update,
  ipv6Update,
  KEEP_ADDRESSES,
  noHostIn,
  sortAddresses,
  type FamilyUpdate,
} from '#zones/dynamic_dns/addresses'
import { DynamicDns } from '#zones/dynamic_dns/update_hosts'

const MISSING_FIELDS_MESSAGE = 'hostname and at least one of ipv4 or ipv6 are required'

/** /api/v2/dynamic-dns */
@inject()
export default class DynamicDnsController {
  constructor(private readonly dynamicDns: DynamicDns) {}

  async handle(ctx: HttpContext) {
    demand(ctx.actor, { action: 'dyndns.use' })
    const body = await validBody(ctx, dynamicDnsValidator)
    refuseConditions(
      ctx,
      ['If-Match', 'If-None-Match'],
      'an update contains all addresses of a host'
    )
    const { hostname = '', ipv4 = '', ipv6 = '', dualstack = false } = body
    const updates = { A: ipv4Of(ipv4), AAAA: ipv6Of(ipv6) }
    if (
      hostname.trim() === '' ||
      (updates.A === KEEP_ADDRESSES && updates.AAAA === KEEP_ADDRESSES)
    ) {
      throw invalid(MISSING_FIELDS_MESSAGE)
    }
    const orCleared = (requested: FamilyUpdate): FamilyUpdate =>
      requested === KEEP_ADDRESSES && dualstack ? { kind: 'clear' } : requested
    const { intent } = writeTerms(ctx, body)
    const outcome = await this.dynamicDns.update(intent, {
      hostname: hostOf(hostname),
      updates: { A: orCleared(updates.A), AAAA: orCleared(updates.AAAA) },
    })
    return answerOutcome(ctx, outcome, (host) => {
      recordUpdate(ctx, host.hostname, host.changed ? 'good' : 'nochg', { outcome: host })
      return success(
        dynamicUpdateItem(host),
        host.changed ? 'Dynamic DNS record updated' : 'Records already match supplied addresses'
      )
    })
  }
}

function hostOf(text: string): string {
  try {
    return absoluteName(text.trim())
  } catch (error) {
    throw error instanceof InvalidDns ? invalid(`Invalid hostname: ${error.message}`) : error
  }
}

function ipv4Of(list: string): FamilyUpdate {
  const found = sortAddresses(list)
  const isOther = 'ipv4' in found && found.ipv6.length + found.prefixes.length > 0
  demandHosts('ipv4', found)
  return checked('ipv4', list, 'wrong' in found || isOther ? null : ipv4Update(found.ipv4))
}

function ipv6Of(list: string): FamilyUpdate {
  const found = sortAddresses(list)
  demandHosts('ipv6', found)
  return checked('ipv6', list, 'wrong' in found || found.ipv4.length > 0 ? null : ipv6Update(found))
}

/**
 * Throws a 400 `Refusal` for an address that other hosts cannot reach; `/nic/update` ignores such
 * an address.
 */
function demandHosts(field: keyof typeof FORMS, found: ReturnType<typeof sortAddresses>): void {
  const address = 'wrong' in found ? undefined : noHostIn(found)
  if (address !== undefined) {
    throw invalid(
      `Invalid IP addresses: field '${field}' must be addresses at which other hosts can reach this host, found "${address}"; loopback, link-local, multicast and unspecified addresses are not allowed`
    )
  }
}

const FORMS = {
  ipv4: 'at most 32 comma-separated IPv4 addresses',
  ipv6: 'at most 32 comma-separated IPv6 addresses, or one network such as 2001:db8:1::/64',
}

function checked(
  field: keyof typeof FORMS,
  list: string,
  requested: FamilyUpdate | null
): FamilyUpdate {
  if (!requested) {
    throw invalid(
      `Invalid IP addresses: field '${field}' must be ${FORMS[field]}, found ${JSON.stringify(list.slice(0, 100))}`
    )
  }
  return requested
}
