import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { BackendUnavailable } from '#backends/contract/errors'
import { invalid, Refusal } from '#exceptions/refusal'
import { ServerStatus, type ServerCalls, type ServerStatusReport } from '#health/server_status'
import { success } from '#transformers/envelope'

const MAX_METRICS = 500
/** Values of `include`. */
const INCLUDABLE = ['slaves', 'calls']

/** /api/v2/server/status */
export default class ServerStatusController {
  readonly #status = new ServerStatus()

  async show(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.view_status' })
    const { metrics, include } = ctx.request.qs() as { metrics?: string; include?: string }
    const asked = wordsOf(include)
    const autoprimaries = asked.includes('slaves')
    if (autoprimaries) {
      demand(ctx.actor, { action: 'server.view_autoprimaries' })
    }
    checkLength(asked)
    this.#status.demandConfigured()
    const unknown = asked.find((word) => !INCLUDABLE.includes(word))
    if (unknown !== undefined) {
      const quoted = JSON.stringify(unknown.slice(0, 100))
      throw invalid(`Query parameter 'include' must be slaves or calls, found ${quoted}`)
    }
    const report = await this.#report(autoprimaries)
    const data = {
      ...item(report, listOf(metrics)),
      ...(asked.includes('calls') && { calls: this.#status.calls().map(callsItem) }),
    }
    return success(data, 'Server status retrieved successfully')
  }

  async #report(autoprimaries: boolean): Promise<ServerStatusReport> {
    try {
      return await this.#status.report({ autoprimaries })
    } catch (error) {
      throw error instanceof BackendUnavailable
        ? new Refusal(503, 'The DNS server cannot be reached', { running: false }).because(error)
        : error
    }
  }
}

/** Words of a comma-separated list, without duplicates. Throws 400 above the limit. */
function listOf(text: string | undefined): string[] {
  const words = wordsOf(text)
  checkLength(words)
  return words
}

function wordsOf(text: string | undefined): string[] {
  const words = (text ?? '').split(',').map((word) => word.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}

function checkLength(words: string[]): void {
  if (words.length > MAX_METRICS) {
    throw invalid(`A list can have at most ${MAX_METRICS} words, found ${words.length}`)
  }
}

function callsItem({ name, calls, failures, retries, milliseconds }: ServerCalls) {
  return { name, calls, failures, retries, milliseconds: Math.round(milliseconds) }
}

/** All metrics, or the named ones that exist. */
function item({ server, autoprimaries }: ServerStatusReport, names: string[]) {
  const includedNames = new Set(names)
  const metrics = [...server.metrics].filter(
    ([name]) => includedNames.size === 0 || includedNames.has(name)
  )
  return {
    running: true,
    server_id: server.id,
    daemon_type: server.daemonType,
    version: server.version,
    uptime_seconds: server.uptimeSeconds,
    metrics: Object.fromEntries(metrics),
    ...(autoprimaries && {
      slaves: autoprimaries.map(({ ip, status, lastChecked, error }) => ({
        ip,
        status,
        last_checked: lastChecked,
        error,
      })),
    }),
  }
}
