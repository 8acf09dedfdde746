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
  type Pass,
} from '#backends/powerdns_api/http/circuit_breaker'
import { CallCounters, type CallCount } from '#backends/powerdns_api/http/metrics'
import { garbled, PowerDnsMissing, refusalOf } from '#backends/powerdns_api/errors'
import { ServerFacts, type ServerInfo } from '#backends/powerdns_api/server_info'
import { NoAnswer, Transport, type RawAnswer } from '#backends/powerdns_api/http/transport'

export type { PowerDnsAddress } from '#backends/powerdns_api/http/address'

/** How long a call may take, and what ends it before. */
export interface CallOptions {
  /** Seconds. */
  timeout?: number
  /** The largest answer, in bytes. */
  maxBytes?: number
  signal?: AbortSignal
  /** The body holds a secret, which the server's words may quote: errors come without them. */
  isSecret?: boolean
}

/** A method that changes something: such a call is never made twice. */
export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Call extends CallOptions {
  method: 'GET' | WriteMethod
  path: string
  body?: object
  /** How often it may be tried. */
  tries: number
  /** Made also while the breaker is open: it asks whether the server is back. */
  isProbe?: boolean
}

/** A kind of metadata that no zone has. */
const NO_KIND = 'X-ZONEWRIGHT-NONE'

const TIMEOUT = 5

/** What `PowerDnsClient.patience` is where nobody says it. */
export const PATIENCE = 20

const MAX_BYTES = 16 * 1024 * 1024
const LONGEST_REASON = 200
const LIMITS: BreakerLimits = { failures: 5, pauseMs: 10_000 }

/**
 * The only place that speaks HTTP to PowerDNS. Every failure is a `BackendUnavailable`: a `PowerDnsRefusal` where
 * the server answered, and plain where it did not, or with something that is no answer of its.
 */
export class PowerDnsClient {
  readonly #transport = new Transport()
  readonly #counters = new CallCounters()
  readonly #breaker: CircuitBreaker
  readonly #facts = new ServerFacts(() => this.get(''))

  constructor(
    private readonly address: PowerDnsAddress,
    limits: BreakerLimits = LIMITS,
    /** Seconds that the server may take for a write, or for an answer as large as a zone. */
    readonly patience = PATIENCE
  ) {
    this.#breaker = new CircuitBreaker(limits)
  }

  /** Whether enough is configured to make a call. */
  get isConfigured(): boolean {
    return this.address.url !== '' && this.address.key !== ''
  }

  /** What became of all calls so far, by their names. */
  get counts(): Record<string, CallCount> {
    return this.#counters.snapshot()
  }

  /**
   * Reads something below the server, for example `/zones/example.org./cryptokeys`; tries once more where the
   * connection failed. Returns the parsed answer. Throws `BackendUnavailable`.
   */
  async get(path: string, options: CallOptions = {}): Promise<unknown> {
    const { text } = await this.#call({ ...options, method: 'GET', path, tries: 2 })
    return parsed(text)
  }

  /**
   * Changes something below the server, once. Returns the parsed answer, null for an empty one. After a plain
   * `BackendUnavailable` nobody knows whether it was done; `NotSent` is thrown where it was not.
   */
  async send(
    method: WriteMethod,
    path: string,
    body?: object,
    options: CallOptions = {}
  ): Promise<unknown> {
    const { text } = await this.#call({ ...options, method, path, body, tries: 1 })
    return text === '' ? null : parsed(text)
  }

  /**
   * Asks the server for itself, at most twice, each time for at most `timeout` seconds.
   * Throws `BackendUnavailable` when no proper answer comes.
   */
  async ping(timeout: number): Promise<void> {
    const call: Call = { method: 'GET', path: '', timeout, tries: 1, isProbe: true }
    try {
      await this.#call(call)
    } catch {
      await this.#call(call)
    }
  }

  /** What the server says of itself; kept for a minute. Throws `BackendUnavailable`. */
  server(): Promise<ServerInfo> {
    return this.#facts.get()
  }

  /**
   * Empties what the server remembers of a zone and everything below it, and lets it look whether the zone
   * is there. `zone` has no final dot. Throws `BackendUnavailable`.
   */
  async flushCache(zone: string, options: CallOptions = {}): Promise<void> {
    const path = `/cache/flush?domain=${encodeURIComponent(`${zone}.`)}`
    await this.#call({ ...options, method: 'PUT', path, tries: 1 })
  }

  /**
   * Lets the server read the metadata of a zone anew, which it remembers for `zone-metadata-cache-ttl` (a minute) and
   * flushing leaves alone. It forgets them when any kind is written over its API: a kind that no zone has is ended.
   * `zone` has no final dot; one that is not there is fine. Throws `BackendUnavailable`.
   */
  async forgetMetadata(zone: string, options: CallOptions = {}): Promise<void> {
    const path = `${zonePath(zone)}/metadata/${NO_KIND}`
    try {
      await this.#call({ ...options, method: 'DELETE', path, tries: 1 })
    } catch (error) {
      if (!(error instanceof PowerDnsMissing)) {
        throw error
      }
    }
  }

  /**
   * Lets the server tell the zone's replicas of its serial (NOTIFY, RFC 1996). `zone` has no final dot.
   * Throws `BackendUnavailable`.
   */
  async notify(zone: string, options: CallOptions = {}): Promise<void> {
    await this.#call({ ...options, method: 'PUT', path: `${zonePath(zone)}/notify`, tries: 1 })
  }

  async #call(call: Call): Promise<RawAnswer> {
    const name = callName(call.method, call.path)
    const since = performance.now()
    let failed = true
    try {
      const answer = await this.#tryCall(call, name)
      if (answer.status < 200 || answer.status > 299) {
        const words = call.isSecret ? '' : errorText(answer.text)
        throw refusalOf(answer.status, this.#printable(words))
      }
      failed = false
      return answer
    } finally {
      this.#counters.count(name, { milliseconds: performance.now() - since, failed })
    }
  }

  async #tryCall(call: Call, name: string): Promise<RawAnswer> {
    for (let left = call.tries; ; left -= 1) {
      try {
        return await this.#exchange(call)
      } catch (error) {
        if (!(error instanceof NoAnswer) || error.kind !== 'network' || left === 1) {
          throw error instanceof NoAnswer ? this.#failureOf(error) : error
        }
        this.#counters.retried(name)
      }
    }
  }

  async #exchange({ method, path, body, isProbe, ...options }: Call): Promise<RawAnswer> {
    const pass = isProbe ? null : this.#breaker.admit()
    if (!isProbe && pass === null) {
      throw this.#notSent('too many calls failed; it is tried again shortly')
    }
    const { timeout = TIMEOUT, maxBytes = MAX_BYTES, signal } = options
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
      this.#breaker.answered()
      return answer
    } catch (error) {
      this.#note(error, pass)
      throw error
    }
  }

  /** Calls without a pass, which ask whether the server is back, only ever close the breaker. */
  #note(error: unknown, pass: Pass | null): void {
    const kind = error instanceof NoAnswer ? error.kind : 'given up'
    if (kind === 'unwanted') {
      this.#breaker.answered()
    } else if (pass !== null && (kind === 'given up' || kind === 'busy')) {
      this.#breaker.released(pass)
    } else if (pass !== null) {
      this.#breaker.failed(pass)
    }
  }

  #failureOf({ kind, message }: NoAnswer): BackendUnavailable {
    return kind === 'busy'
      ? this.#notSent(message)
      : new BackendUnavailable(`The PowerDNS API did not answer (${this.#printable(message)})`)
  }

  #notSent(reason: string): NotSent {
    return new NotSent(`The PowerDNS API was not asked (${this.#printable(reason)})`)
  }

  /** One short line without control characters and without the key. */
  #printable(text: string): string {
    const { key } = this.address
    return (key === '' ? text : text.replaceAll(key, '********'))
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .slice(0, LONGEST_REASON)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw garbled('no JSON')
  }
}

/** The sentence of PowerDNS' `{"error": "..."}`. */
function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
