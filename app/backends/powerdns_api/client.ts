import { BackendUnavailable, NotSent } from '#backends/contract/errors'
import {
  callName,
  serverUrl,
  zonePath,
  type PowerDnsAddress,
} from '#backends/powerdns_api/http/address'
import {
  CircuitBreaker,
  type BreakerLimits,
  type CallPermit,
} from '#backends/powerdns_api/http/circuit_breaker'
import { CallCounters, type CallCount } from '#backends/powerdns_api/http/metrics'
import { invalidAnswer, PowerDnsMissing, refusalOf } from '#backends/powerdns_api/errors'
import { ServerInfoCache, type ServerInfo } from '#backends/powerdns_api/server_info'
import { NoAnswer, Transport, type RawAnswer } from '#backends/powerdns_api/http/transport'

export type { PowerDnsAddress } from '#backends/powerdns_api/http/address'

/** Timeout and abort signal of a call. */
export interface CallOptions {
  /** Seconds. */
  timeout?: number
  /** Maximum size of the answer in bytes. */
  maxBytes?: number
  signal?: AbortSignal
  /** The body contains a secret, which an error of the server may quote: errors omit its text. */
  isSecret?: boolean
}

/** A method that changes data: such a call is never repeated. */
export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Call extends CallOptions {
  method: 'GET' | WriteMethod
  path: string
  body?: object
  /** Maximum number of attempts. */
  maxAttempts: number
  /** Sent also while the circuit breaker is open, to check the server. */
  isProbe?: boolean
}

/** A kind of metadata that no zone has. */
const UNUSED_METADATA_KIND = 'X-ZONEWRIGHT-NONE'

const DEFAULT_READ_TIMEOUT_SECONDS = 5

/** Default of `PowerDnsClient.timeout`. */
export const DEFAULT_WRITE_TIMEOUT_SECONDS = 20

const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const MAX_REASON_CHARACTERS = 200
const BREAKER_LIMITS: BreakerLimits = { failures: 5, pauseMs: 10_000 }

/**
 * The only HTTP client of PowerDNS. Each failure is a `BackendUnavailable`: a `PowerDnsRefusal` if the server refused,
 * and the plain class without a valid answer.
 */
export class PowerDnsClient {
  readonly #transport = new Transport()
  readonly #counters = new CallCounters()
  readonly #breaker: CircuitBreaker
  readonly #serverInfo = new ServerInfoCache(() => this.get(''))

  constructor(
    private readonly address: PowerDnsAddress,
    limits: BreakerLimits = BREAKER_LIMITS,
    /** Timeout in seconds of writes, and of answers of the size of a zone. */
    readonly timeout = DEFAULT_WRITE_TIMEOUT_SECONDS
  ) {
    this.#breaker = new CircuitBreaker(limits)
  }

  /** Whether the settings allow a call. */
  get isConfigured(): boolean {
    return this.address.url !== '' && this.address.key !== ''
  }

  /** Counts of calls, by name of the call. */
  get counts(): Record<string, CallCount> {
    return this.#counters.snapshot()
  }

  /**
   * Reads a path below the server, for example `/zones/example.org./cryptokeys`; retries once after a failed
   * connection. Returns the parsed answer. Throws `BackendUnavailable`.
   */
  async get(path: string, options: CallOptions = {}): Promise<unknown> {
    const { text } = await this.#call({ ...options, method: 'GET', path, maxAttempts: 2 })
    return parseJson(text)
  }

  /**
   * Sends a change once. Returns the parsed answer, null for an empty one. After `BackendUnavailable` the outcome is unknown;
   * `NotSent` means that it was not done.
   */
  async send(
    method: WriteMethod,
    path: string,
    body?: object,
    options: CallOptions = {}
  ): Promise<unknown> {
    const { text } = await this.#call({ ...options, method, path, body, maxAttempts: 1 })
    return text === '' ? null : parseJson(text)
  }

  /**
   * Checks the server with at most two calls, each for at most `timeout` seconds. Throws `BackendUnavailable` without a
   * valid answer.
   */
  async ping(timeout: number): Promise<void> {
    const call: Call = { method: 'GET', path: '', timeout, maxAttempts: 1, isProbe: true }
    try {
      await this.#call(call)
    } catch {
      await this.#call(call)
    }
  }

  /** Properties of the server, cached for a minute. Throws `BackendUnavailable`. */
  server(): Promise<ServerInfo> {
    return this.#serverInfo.get()
  }

  /**
   * Flushes the caches of the server for a zone and all names below, so that it also checks whether the zone exists. `zone`
   * has no final dot. Throws `BackendUnavailable`.
   */
  async flushCache(zone: string, options: CallOptions = {}): Promise<void> {
    const path = `/cache/flush?domain=${encodeURIComponent(`${zone}.`)}`
    await this.#call({ ...options, method: 'PUT', path, maxAttempts: 1 })
  }

  /**
   * Makes the server reload the metadata of the zone, which it caches for `zone-metadata-cache-ttl` (a minute); a flush does
   * not clear them. A write of any kind by its API does: deletes a kind that no zone has. `zone` has no final dot and need not
   * exist. Throws `BackendUnavailable`.
   */
  async forgetMetadata(zone: string, options: CallOptions = {}): Promise<void> {
    const path = `${zonePath(zone)}/metadata/${UNUSED_METADATA_KIND}`
    try {
      await this.#call({ ...options, method: 'DELETE', path, maxAttempts: 1 })
    } catch (error) {
      if (!(error instanceof PowerDnsMissing)) {
        throw error
      }
    }
  }

  /**
   * Makes the server send NOTIFY to the replicas of the zone (RFC 1996). `zone` has no final dot. Throws `BackendUnavailable`.
   */
  async notify(zone: string, options: CallOptions = {}): Promise<void> {
    await this.#call({
      ...options,
      method: 'PUT',
      path: `${zonePath(zone)}/notify`,
      maxAttempts: 1,
    })
  }

  async #call(call: Call): Promise<RawAnswer> {
    const name = callName(call.method, call.path)
    const startedAt = performance.now()
    let failed = true
    try {
      const answer = await this.#tryCall(call, name)
      if (answer.status < 200 || answer.status > 299) {
        const reason = call.isSecret ? '' : errorText(answer.text)
        throw refusalOf(answer.status, this.#printable(reason))
      }
      failed = false
      return answer
    } finally {
      this.#counters.count(name, { milliseconds: performance.now() - startedAt, failed })
    }
  }

  async #tryCall(call: Call, name: string): Promise<RawAnswer> {
    for (let attemptsLeft = call.maxAttempts; ; attemptsLeft -= 1) {
      try {
        return await this.#exchange(call)
      } catch (error) {
        if (!(error instanceof NoAnswer) || error.kind !== 'network' || attemptsLeft === 1) {
          throw error instanceof NoAnswer ? this.#failureOf(error) : error
        }
        this.#counters.countRetry(name)
      }
    }
  }

  async #exchange({ method, path, body, isProbe, ...options }: Call): Promise<RawAnswer> {
    const permit = isProbe ? null : this.#breaker.admit()
    if (!isProbe && permit === null) {
      throw this.#notSent('too many calls failed; the next attempt follows shortly')
    }
    const { timeout = DEFAULT_READ_TIMEOUT_SECONDS, maxBytes = MAX_ANSWER_BYTES, signal } = options
    try {
      const answer = await this.#transport.exchange({
        method,
        url: serverUrl(this.address, path),
        // Without Accept PowerDNS answers errors in plain text.
        headers: {
          'Accept': 'application/json',
          'X-API-Key': this.address.key,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        timeout,
        maxBytes,
        signal,
      })
      this.#breaker.recordAnswer()
      return answer
    } catch (error) {
      this.#reportToBreaker(error, permit)
      throw error
    }
  }

  /** Calls without a permit check whether the server is available again: they can only close the breaker. */
  #reportToBreaker(error: unknown, permit: CallPermit | null): void {
    const kind = error instanceof NoAnswer ? error.kind : 'given up'
    if (kind === 'unwanted') {
      this.#breaker.recordAnswer()
    } else if (permit !== null && (kind === 'given up' || kind === 'busy')) {
      this.#breaker.release(permit)
    } else if (permit !== null) {
      this.#breaker.recordFailure(permit)
    }
  }

  #failureOf({ kind, message }: NoAnswer): BackendUnavailable {
    return kind === 'busy'
      ? this.#notSent(message)
      : new BackendUnavailable(`The PowerDNS API did not answer (${this.#printable(message)})`)
  }

  #notSent(reason: string): NotSent {
    return new NotSent(`The PowerDNS API was not called (${this.#printable(reason)})`)
  }

  /** One short line without control characters and without the key. */
  #printable(text: string): string {
    const { key } = this.address
    return (key === '' ? text : text.replaceAll(key, '********'))
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .slice(0, MAX_REASON_CHARACTERS)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidAnswer('not JSON')
  }
}

/** The text of `{"error": "..."}` in an answer. */
function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
