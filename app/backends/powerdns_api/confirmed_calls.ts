import { setTimeout as wait } from 'node:timers/promises'
import {
  BackendUnavailable,
  NotSent,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
  ZoneExists,
  ZoneGone,
} from '#backends/contract/errors'
import type { ServerZone } from '#backends/mirrored/zone_server'
import { BODY_SETTING, checkBodySize } from '#backends/powerdns_api/http/body_limit'
import type { PowerDnsClient, WriteMethod } from '#backends/powerdns_api/client'
import {
  NOT_ALLOWED_STATUSES,
  PowerDnsConflict,
  PowerDnsMissing,
  PowerDnsRefusal,
  PowerDnsTooLarge,
} from '#backends/powerdns_api/errors'
import type { RRsetBody } from '#backends/powerdns_api/patches'
import type { ServerZones } from '#backends/powerdns_api/server_zones'

/** Timeout in seconds of the verification after a server did not answer a write. */
const VERIFY_TIMEOUT_SECONDS = 5

/** Seconds by which a timer may be early. */
const TIMER_SLACK_SECONDS = 0.1

/**
 * The time-out of a write grows by a second per this number of RRsets, which servers write one by one. The maximum is
 * below `HEARTBEAT_TIMEOUT_MS`.
 */
const RRSETS_PER_SECOND = 200
const MAX_TIMEOUT_SECONDS = 50

/** Characters of a content that every database of PowerDNS can store. MySQL fails with more. */
const MAX_STORABLE_CHARACTERS = 64_000

/** Pauses between attempts after a conflict with another writer of the server's database; none after the last. */
const RETRY_PAUSES_MS = [50, 150, 400, 1000, null]

/** Status codes of a refusal. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 409, 422])

/** PowerDNS fails with 500 only. A higher status comes from a proxy, which may have forwarded the call. */
const INTERNAL_ERROR_STATUS = 500

/** Returns whether the call was executed, by the current zone of the server. */
export type DoneCheck = (found: ServerZone | null) => boolean

/** Calls that change data at the server and whose outcome is verified; throws `WriteUnconfirmed` if it stays unknown. */
export class ConfirmedCalls {
  readonly #timeout: number

  constructor(
    private readonly client: PowerDnsClient,
    private readonly server: ServerZones
  ) {
    this.#timeout = client.timeout
  }

  /** Throws `WriteTooLarge` if one of these bodies is too large for the server. Call it before the first is sent. */
  checkBodySizes(bodies: object[]): Promise<void> {
    return checkBodySize(this.client, bodies)
  }

  /**
   * Sends a call. Repeats it after an internal error of the server, since each states the resulting data; not that of a key,
   * which would create two. After a failure without an answer, `isDone` verifies the outcome, unless it is null.
   */
  async send(
    method: WriteMethod,
    path: string,
    body: object | undefined,
    name: string,
    isDone: DoneCheck | null,
    { isKey = false } = {}
  ): Promise<void> {
    const startedAt = performance.now()
    const elapsedSeconds = () => (performance.now() - startedAt) / 1000
    const timeout = this.#timeoutOf(body)
    let isFirst = true
    for (const pause of isKey ? [null] : RETRY_PAUSES_MS) {
      try {
        await this.client.send(method, path, body, { timeout, isSecret: isKey })
        return
      } catch (error) {
        this.#throwRefusal(error, method, name, isFirst)
        isFirst = false
        const isAnswered = error instanceof PowerDnsRefusal && error.status <= INTERNAL_ERROR_STATUS
        const isTimedOut = !isAnswered && elapsedSeconds() > timeout - TIMER_SLACK_SECONDS
        const seconds = isTimedOut ? Math.min(VERIFY_TIMEOUT_SECONDS, this.#timeout) : undefined
        if (isDone && (await this.#verify(name, isDone, seconds))) {
          return
        }
        if (!isAnswered) {
          throw new WriteUnconfirmed((error as Error).message, { cause: error })
        }
        // A slow server gets fewer repetitions: the write holds locks.
        if (pause === null || elapsedSeconds() > this.#timeout) {
          throw isTooLong(body)
            ? new WriteRefused(
                `a record content has more than ${MAX_STORABLE_CHARACTERS} characters`,
                {
                  cause: error,
                }
              )
            : error
        }
        await wait(pause + Math.random() * pause)
      }
    }
  }

  /** Timeout of the call in seconds. */
  #timeoutOf(body: object | undefined): number {
    const { length } = (body as { rrsets?: RRsetBody[] } | undefined)?.rrsets ?? []
    return Math.min(this.#timeout + length / RRSETS_PER_SECOND, MAX_TIMEOUT_SECONDS)
  }

  /** Rethrows errors that do not concern the data of the call. */
  #throwRefusal(error: unknown, method: WriteMethod, name: string, isFirst: boolean): void {
    // A later attempt that was not sent proves nothing about the earlier one.
    const isNotExecuted = error instanceof NotSent && isFirst
    if (!(error instanceof BackendUnavailable) || isNotExecuted) {
      throw error
    }
    if (error instanceof PowerDnsMissing) {
      throw new ZoneGone(`The name server has no zone '${name}'`)
    }
    if (error instanceof PowerDnsConflict && method === 'POST') {
      throw new ZoneExists(name)
    }
    if (error instanceof PowerDnsTooLarge) {
      const message = `one call is larger than PowerDNS (its setting ${BODY_SETTING}) or a proxy in front of it accepts`
      throw new WriteTooLarge(message, { cause: error })
    }
    if (error instanceof PowerDnsRefusal && REFUSAL_STATUSES.has(error.status)) {
      throw new WriteRefused(error.reason || error.message, { cause: error })
    }
    if (error instanceof PowerDnsRefusal && NOT_ALLOWED_STATUSES.has(error.status)) {
      throw error
    }
  }

  /** Verifies the outcome; false if it cannot be read. */
  async #verify(name: string, isDone: DoneCheck, seconds?: number): Promise<boolean> {
    try {
      return isDone(await this.server.zone(name, seconds))
    } catch (error) {
      if (error instanceof BackendUnavailable) {
        return false
      }
      throw error
    }
  }

  /** The zone after an answered call. */
  async readChangedZone(name: string): Promise<ServerZone | null> {
    try {
      return await this.server.zone(name)
    } catch (error) {
      if (error instanceof BackendUnavailable) {
        throw new WriteUnconfirmed(error.message, { cause: error })
      }
      throw error
    }
  }
}

/** Whether a long content may be the cause of an internal error, which the server does not explain. */
function isTooLong(body: object | undefined): boolean {
  const { rrsets = [] } = (body ?? {}) as { rrsets?: RRsetBody[] }
  return rrsets.some(({ records }) =>
    records?.some(({ content }) => content.length > MAX_STORABLE_CHARACTERS)
  )
}
