import { inject } from '@adonisjs/core'
import { setTimeout as wait } from 'node:timers/promises'
import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { authorize } from '#access/authorize'
import { BackendUnavailable } from '#backends/contract/errors'
import { configuredClient } from '#backends/powerdns_api/configured'
import interfaceSettings from '#config/interface'
import { ServerStatus } from '#health/server_status'
import { reportJobs } from '#background/scheduler/report'
import { listRequests, type RequestScope } from '#review/request_list'
import { canReviewSome } from '#review/visibility'
import { displayName, type DisplayName } from '#web/page/display_name'
import { OwnedZoneProblems } from '#zones/overview/zone_problems'
import type { ListedZone } from '#zones/list/full_list'

/** Zones and requests that a line names. */
const MAX_NAMED_ITEMS = 5
/** Time limit for the name server, in milliseconds. */
const STATUS_TIMEOUT_MS = 1_500

/** Zones with the same problem; some of them by name. */
export interface ProblemZones {
  kind: 'broken' | 'empty' | 'unsigned'
  count: number
  zones: { id: number; name: DisplayName }[]
}

/** Waiting change requests: own ones, and those that the actor may review. */
export interface WaitingRequests {
  total: number
  requests: { id: number; requester: string; time: string; isOwn: boolean }[]
}

/** Items that need an action of the user. */
export interface Attention {
  /** Stale requests, which need a new baseline, and waiting ones; null if review is disabled. */
  requests: { stale: WaitingRequests; ready: WaitingRequests } | null
  jobs: { name: string; failures: number }[]
  troubles: ProblemZones[]
  isCut: boolean
}

/** State of the name server; 'silent' without an answer. */
export type ServerLine =
  | { state: 'running'; version: string; kind: string; since: string; queries: number | null }
  | { state: 'silent' }

/**
 * Collects the overview except for its counts. The cost of each part does not grow with the
 * installation.
 */
@inject()
export class Dashboard {
  constructor(private readonly zoneProblems: OwnedZoneProblems) {}

  async attention(actor: Actor): Promise<Attention> {
    const { brokenZones, empty, unsigned, isCut } = await this.zoneProblems.of(actor)
    const troubles = [
      problemZonesOf('broken', brokenZones),
      problemZonesOf('empty', empty),
      problemZonesOf('unsigned', unsigned),
    ]
    return {
      requests: approval.isEnabled ? await requestsOf(actor) : null,
      jobs: await failingJobs(actor),
      troubles: troubles.filter(({ count }) => count > 0),
      isCut,
    }
  }

  /** null if it is disabled, or if the actor may not view it. */
  async server(actor: Actor): Promise<ServerLine | null> {
    const isShown =
      interfaceSettings.show_pdns_status &&
      configuredClient().isConfigured &&
      authorize(actor, { action: 'server.view_status' }).allowed
    if (!isShown) {
      return null
    }
    try {
      const asked = new ServerStatus().report({ autoprimaries: false })
      const report = await Promise.race([asked, wait(STATUS_TIMEOUT_MS, null)])
      // A late error must not be an unhandled rejection.
      asked.catch(() => {})
      if (!report) {
        return { state: 'silent' }
      }
      const { version, daemonType, uptimeSeconds, metrics } = report.server
      const queryCounts = ['udp-queries', 'tcp-queries'].map((name) => Number(metrics.get(name)))
      const queries = queryCounts.every(Number.isFinite) ? queryCounts[0] + queryCounts[1] : null
      const since = new Date(Date.now() - uptimeSeconds * 1_000).toISOString()
      return { state: 'running', version, kind: daemonType, since, queries }
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error
      return { state: 'silent' }
    }
  }
}

function problemZonesOf(kind: ProblemZones['kind'], zones: ListedZone[]): ProblemZones {
  const named = zones
    .slice(0, MAX_NAMED_ITEMS)
    .map(({ id, name }) => ({ id, name: displayName(name) }))
  return { kind, count: zones.length, zones: named }
}

async function requestsOf(actor: Actor): Promise<Attention['requests']> {
  const [stale, ready] = await Promise.all([
    waitingRequests(actor, { isStale: true }),
    waitingRequests(actor, { isStale: false }),
  ])
  return { stale, ready }
}

async function waitingRequests(
  actor: Actor,
  filter: { isStale: boolean }
): Promise<WaitingRequests> {
  const page = { number: 1, size: MAX_NAMED_ITEMS, offset: 0 }
  const query = { sort: [], filters: {}, q: null, page }
  const scopes: RequestScope[] = canReviewSome(actor) ? ['review', 'own'] : ['own']
  const lists = await Promise.all(scopes.map((scope) => listRequests(actor, query, scope, filter)))
  const rows = lists.flatMap((list) => list.rows).toSorted((a, b) => Number(b.id) - Number(a.id))
  return {
    total: lists.reduce((sum, list) => sum + (list.total ?? list.rows.length), 0),
    requests: rows
      .slice(0, MAX_NAMED_ITEMS)
      .map(({ id, requester_id: requester, requester_name: name, created_at }) => ({
        id: Number(id),
        requester: name,
        time: created_at,
        isOwn: requester !== null && requester === actor.userId,
      })),
  }
}

async function failingJobs(actor: Actor): Promise<Attention['jobs']> {
  if (!authorize(actor, { action: 'server.manage_jobs' }).allowed) {
    return []
  }
  const jobs = await reportJobs()
  return jobs
    .filter(({ failures }) => failures > 0)
    .map(({ name, failures }) => ({ name, failures }))
}
