import { BackendUnavailable } from '#backends/contract/errors'
import { PowerDnsRefusal } from '#backends/powerdns_api/errors'
import { TryLater } from '#changes/transaction/outbox'
import { withoutValues } from '#exceptions/database_errors'
import { backoffMs } from '#background/backoff'
import type { Deliveries } from '#background/outbox/deliveries'
import {
  leaseDueEvents,
  timestampIn,
  postponeEvents,
  releaseLease,
  renewLease,
  markDelivered,
  type OutboxRow,
} from '#background/outbox/store'

/** Lease duration. After a worker died, another worker takes its rows when the lease ends. */
export const LEASE_MS = 60_000

/** Share of the lease, counted from its start, in which a delivery may start. */
const DELIVERY_START_SHARE = 0.75

/** Part of a lease after which it is renewed, while a slow mail server delays the pass. */
const RENEWAL_SHARE = 1 / 3

/** Maximum number of renewals: after that the delivery counts as hanging, and another worker may try. */
const MAX_RENEWALS = 30

/** Order of kinds within a zone: the cache is flushed before replicas are notified. */
const KIND_ORDER: OutboxRow['kind'][] = ['forget', 'flush', 'notify', 'review', 'mail']

/** Kinds whose events are delivered one by one, because equal events must not be merged. */
const SINGLE_DELIVERY_KINDS: ReadonlySet<OutboxRow['kind']> = new Set<OutboxRow['kind']>([
  'review',
  'mail',
])

/** Log of failures, such as the logger of the application. */
export interface OutboxLog {
  warn(fields: object, text: string): void
}

/** Numbers of events of one pass. */
export interface PassResult {
  delivered: number
  failed: number
  /** The server cannot be reached or refuses the key, so other events are not tried. */
  isServerDown: boolean
}

/** Events of one kind for one zone, settled by one delivery. */
interface EventGroup {
  kind: OutboxRow['kind']
  zone: string
  rows: OutboxRow[]
}

/** One lease of due events, delivered one after the other. */
export class OutboxPass {
  readonly #result: PassResult = { delivered: 0, failed: 0, isServerDown: false }
  #deadline = 0

  constructor(
    private readonly deliveries: Deliveries,
    private readonly logger: OutboxLog,
    private readonly signal: AbortSignal,
    private readonly leaseMs = LEASE_MS
  ) {}

  /** Delivers due events under a lease with this unique name. Throws database errors. */
  async run(lease: string): Promise<PassResult> {
    const rows = await leaseDueEvents(lease, Object.keys(this.deliveries), this.leaseMs)
    if (rows.length === 0) {
      return this.#result
    }
    this.#deadline = Date.now() + DELIVERY_START_SHARE * this.leaseMs
    const stopRenewal = this.#startRenewal(lease)
    try {
      await this.#deliver(lease, rows)
    } finally {
      await stopRenewal()
    }
    await releaseLease(lease)
    return this.#result
  }

  /** Renews the lease from now on. Returns the function that ends the renewal. */
  #startRenewal(lease: string): () => Promise<void> {
    let renewals = 0
    let renewal = Promise.resolve()
    const timer = setInterval(() => {
      if (++renewals >= MAX_RENEWALS) clearInterval(timer)
      renewal = renewLease(lease, this.leaseMs).catch((error: unknown) => {
        this.logger.warn({ err: withoutValues(error) }, 'Renewal of an outbox lease failed')
      })
    }, this.leaseMs * RENEWAL_SHARE)
    timer.unref()
    return () => {
      clearInterval(timer)
      return renewal
    }
  }

  async #deliver(lease: string, rows: OutboxRow[]): Promise<void> {
    const delivered: number[] = []
    const zones = [...Map.groupBy(rows, (row) => row.zone_name).values()]
    while (zones.length > 0 && this.#mayStartDelivery()) {
      const remainingGroups = groupByKind(zones.shift()!)
      const failure = await this.#deliverAll(lease, remainingGroups, delivered)
      if (failure !== null) {
        const skippedGroups = this.#result.isServerDown ? zones.splice(0).flatMap(groupByKind) : []
        await this.#postponeGroups(lease, [...remainingGroups, ...skippedGroups], failure)
      }
    }
    await markDelivered(lease, delivered)
  }

  /** Whether a delivery may start: other workers get the rows when the lease ends. */
  #mayStartDelivery(): boolean {
    return Date.now() < this.#deadline && !this.signal.aborted
  }

  /**
   * Removes delivered groups from the list until one fails that others must wait for. Returns its error, or null. Adds ids to
   * settle to `delivered`.
   */
  async #deliverAll(
    lease: string,
    remainingGroups: EventGroup[],
    delivered: number[]
  ): Promise<string | null> {
    while (remainingGroups.length > 0 && this.#mayStartDelivery()) {
      const [group] = remainingGroups
      const isSingle = SINGLE_DELIVERY_KINDS.has(group.kind)
      try {
        await this.deliveries[group.kind]!(group.rows.at(-1)!, this.signal)
      } catch (error) {
        if (this.signal.aborted) {
          // The process stops: the event is neither delivered nor failed.
          return null
        }
        if (!canSkip(group, error)) {
          const reason = this.#explain(error)
          if (!isSingle || this.#result.isServerDown) {
            return reason
          }
          await this.#postponeGroups(lease, [group], reason)
          remainingGroups.shift()
          continue
        }
        const { kind, zone, rows } = group
        const fields = { kind, zone, events: rows.length }
        this.logger.warn(fields, `Outbox: skipped: ${error.message}`)
      }
      const ids = group.rows.map((row) => row.id)
      this.#result.delivered += ids.length
      remainingGroups.shift()
      if (isSingle) {
        await markDelivered(lease, ids)
      } else {
        delivered.push(...ids)
      }
    }
    return null
  }

  #explain(error: unknown): string {
    if (error instanceof TryLater) {
      return error.message
    }
    if (!(error instanceof BackendUnavailable)) {
      this.logger.warn({ err: withoutValues(error) }, 'Delivery of an outbox event failed')
      return 'Internal error, see the log'
    }
    this.#result.isServerDown = !(error instanceof PowerDnsRefusal) || isKeyRefused(error)
    return error.message
  }

  /** Postpones the groups, each by its number of failures. Logs one line for all. */
  async #postponeGroups(lease: string, groups: EventGroup[], error: string): Promise<void> {
    const [{ kind, zone }] = groups
    let events = 0
    for (const { rows } of groups) {
      const attempts = Math.max(...rows.map((row) => row.attempts)) + 1
      const nextAt = timestampIn(backoffMs(attempts))
      const ids = rows.map((row) => row.id)
      await postponeEvents(lease, ids, { attempts, nextAt, error })
      events += ids.length
    }
    this.#result.failed += events
    this.logger.warn({ kind, zone, events }, `Outbox: ${error}`)
  }
}

/** Whether the error does not delay other events of the zone: a cache entry expires without the flush. */
function canSkip({ kind }: EventGroup, error: unknown): error is PowerDnsRefusal {
  return kind === 'forget' && error instanceof PowerDnsRefusal && !isKeyRefused(error)
}

function isKeyRefused({ status }: PowerDnsRefusal): boolean {
  return status === 401 || status === 403
}

function groupByKind(rows: OutboxRow[]): EventGroup[] {
  const kinds = Map.groupBy(rows, (row) => row.kind)
  const zone = rows[0].zone_name
  return KIND_ORDER.filter((kind) => kinds.has(kind)).flatMap((kind): EventGroup[] => {
    const rowsOfKind = kinds.get(kind)!
    return SINGLE_DELIVERY_KINDS.has(kind)
      ? rowsOfKind.map((row) => ({ kind, zone, rows: [row] }))
      : [{ kind, zone, rows: rowsOfKind }]
  })
}
