import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { intentOf } from '#changes/model/intent'
import dyndns from '#config/dyndns'
import { lineOf, statusOfCodes, type Code } from '#controllers/dyndns/codes'
import { callerOf, shownCredentials, type ShownCredentials } from '#controllers/dyndns/credentials'
import { codeOfError } from '#controllers/dyndns/errors'
import { clientAddress } from '#controllers/dyndns/client_address'
import { dyndnsQuery, valueOf, type DyndnsQuery } from '#controllers/dyndns/query'
import { usesClientAddress, hostsOf, addressUpdates } from '#controllers/dyndns/address_updates'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import { withoutValues } from '#exceptions/database_errors'
import type { AddressUpdates } from '#zones/dynamic_dns/addresses'
import { recordRefused, recordUpdate } from '#controllers/dyndns/client_activity'
import { admitChange } from '#zones/dynamic_dns/limits'
import { DynamicDns, type HostResult } from '#zones/dynamic_dns/update_hosts'

/** The answer for a host, or for the whole request. */
interface Answer {
  code: Code
  /** The current address of the host. */
  address?: string
}

/** An update with valid syntax. */
interface ParsedUpdate {
  hosts: (string | null)[]
  updates: AddressUpdates
  credentials: ShownCredentials
}

/**
 * The endpoint of the dyndns2 convention for routers: codes, one line for each host in the order of
 * the request. An error of the whole request is one line.
 */
@inject()
export default class DynamicUpdateController {
  constructor(private readonly dynamicDns: DynamicDns) {}

  async handle(ctx: HttpContext) {
    const { request, response } = ctx
    // The raw URL: the query parser of the API decodes "+" as a blank.
    const query = dyndnsQuery(request.request.url ?? '')
    const answers = await this.#applyUpdate(ctx, query).catch((error: unknown): Answer[] => {
      // Too many password checks are caused by the callers, and are no fault of the server.
      if (!(error instanceof Refusal)) {
        ctx.logger.error({ err: withoutValues(error) }, 'Dynamic update failed')
      }
      return [{ code: '911' }]
    })
    const codes = answers.map(({ code }) => code)
    const asked = valueOf(query, 'status')
    const rule = asked === 'strict' || asked === 'compat' ? asked : dyndns.status_codes
    const status = statusOfCodes(codes, rule)
    const isVerbose = query.has('verbose')
    const lines = answers.map(({ code, address }) => `${lineOf(code, address, isVerbose)}\n`)
    response.header('Content-Type', 'text/plain; charset=utf-8')
    response.header('Cache-Control', 'no-store')
    response.header('X-Content-Type-Options', 'nosniff')
    if (status === 401) {
      response.header('WWW-Authenticate', 'Basic realm="dynamic DNS"')
    }
    response.status(status).send(lines.join(''))
  }

  /**
   * Checks in the order of the original servers: agent, presence of credentials, hosts, addresses,
   * authentication.
   */
  async #applyUpdate(ctx: HttpContext, query: DyndnsQuery): Promise<Answer[]> {
    const parsedUpdate = readUpdate(ctx, query)
    if (Array.isArray(parsedUpdate)) {
      return parsedUpdate
    }
    const actor = await callerOf(ctx, parsedUpdate.credentials)
    if (!actor || !authorize(actor, { action: 'dyndns.use' }).allowed) {
      recordRefused(ctx, parsedUpdate.hosts)
      return [{ code: 'badauth' }]
    }
    ctx.actor = actor
    return this.#update(ctx, actor, parsedUpdate)
  }

  async #update(
    ctx: HttpContext,
    actor: Actor,
    { hosts, updates }: ParsedUpdate
  ): Promise<Answer[]> {
    const named = hosts.filter((hostname) => hostname !== null)
    const results = await this.dynamicDns.updateEach(
      intentOf(actor),
      named.map((hostname) => ({ hostname, updates })),
      (hostname) => admitChange(hostname, actor.address)
    )
    return hosts.map((hostname): Answer => {
      const result = hostname === null ? undefined : results.shift()
      if (hostname === null || result === undefined) {
        return { code: 'notfqdn' }
      }
      const answer = answerOf(ctx, result)
      recordUpdate(ctx, hostname, answer.code, result)
      return answer
    })
  }
}

/** The update of a request, or its errors that do not depend on the caller. */
function readUpdate(ctx: HttpContext, query: DyndnsQuery): ParsedUpdate | Answer[] {
  if (isScanner(ctx)) {
    return [{ code: 'badagent' }]
  }
  const credentials = shownCredentials(ctx, query)
  if (!credentials) {
    return [{ code: 'badauth' }]
  }
  const hosts = hostsOf(query)
  if (hosts.length === 0) {
    return [{ code: 'notfqdn' }]
  }
  if (hosts.length > dyndns.max_hosts) {
    return [{ code: 'numhost' }]
  }
  if (hosts.every((hostname) => hostname === null)) {
    return hosts.map(() => ({ code: 'notfqdn' }))
  }
  const updates = addressUpdates(query, clientAddress(ctx, usesClientAddress(query)))
  return updates ? { hosts, updates, credentials } : [{ code: 'dnserr' }]
}

function answerOf(ctx: HttpContext, result: HostResult): Answer {
  if ('error' in result) {
    const code = codeOfError(result.error)
    if (code === '911') {
      ctx.logger.error({ err: withoutValues(result.error) }, 'Dynamic update failed')
    }
    auditRefusal(result.error, ctx)
    return { code }
  }
  const { changed, applied } = result.outcome
  return { code: changed ? 'good' : 'nochg', address: applied.A.at(0) ?? applied.AAAA.at(0) }
}

/** Agents that fetch links automatically: previews, search engines, mail scanners. */
const SCANNER_AGENTS = /bot\b|crawl|spider|preview|slurp|externalhit|scanner|whatsapp|prefetch/i

/** Headers by which browsers declare a prefetch. */
const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/**
 * Whether a request must not change anything, with any credentials: it has no user agent, is a HEAD
 * request, or comes from an automatic fetch of links.
 */
export function isScanner({ request }: HttpContext): boolean {
  const agent = request.header('user-agent')?.trim() ?? ''
  const isAhead = PREFETCH_HEADERS.some((name) =>
    /prefetch|preview|prerender/i.test(request.header(name) ?? '')
  )
  return agent === '' || request.method() === 'HEAD' || isAhead || SCANNER_AGENTS.test(agent)
}
