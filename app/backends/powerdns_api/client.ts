import { BackendUnavailable } from '#backends/errors'

/** Where the HTTP API of a PowerDNS server is, and how to be let in. */
export interface PowerDnsAddress {
  url: string
  key: string
  serverName: string
}

/** How long a call may take, and what ends it before. */
export interface CallOptions {
  /** Seconds. */
  timeout?: number
  signal?: AbortSignal
}

const TIMEOUT = 5
const LONGEST_REASON = 200

/** PowerDNS answered, and not as hoped; the message has its own words. */
export class PowerDnsRefusal extends BackendUnavailable {
  constructor(
    /** HTTP status. */
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

/** The only place that speaks HTTP to PowerDNS. Every failure is a `BackendUnavailable`. */
export class PowerDnsClient {
  constructor(private readonly address: PowerDnsAddress) {}

  /** Whether enough is configured to make a call. */
  get isConfigured(): boolean {
    return this.address.url !== '' && this.address.key !== ''
  }

  /**
   * Asks the server for itself, at most twice, each time for at most `timeout` seconds.
   * Throws `BackendUnavailable` when no proper answer comes.
   */
  async ping(timeout: number): Promise<void> {
    try {
      await this.#call('GET', '', { timeout })
    } catch {
      await this.#call('GET', '', { timeout })
    }
  }

  /**
   * Empties what the server remembers of a zone and everything below it, and lets it look whether the zone
   * is there. `zone` has no final dot. Throws `BackendUnavailable`.
   */
  async flushCache(zone: string, options: CallOptions = {}): Promise<void> {
    await this.#call('PUT', `/cache/flush?domain=${encodeURIComponent(`${zone}.`)}`, options)
  }

  /**
   * Lets the server tell the zone's replicas of its serial (NOTIFY, RFC 1996). `zone` has no final dot.
   * Throws `BackendUnavailable`.
   */
  async notify(zone: string, options: CallOptions = {}): Promise<void> {
    await this.#call('PUT', `/zones/${zoneId(zone)}/notify`, options)
  }

  async #call(method: string, path: string, options: CallOptions): Promise<void> {
    const { url, key, serverName } = this.address
    const { timeout = TIMEOUT, signal } = options
    const limit = AbortSignal.timeout(timeout * 1000)
    let answer: { status: number; text: string }
    try {
      const server = `${url}/api/v1/servers/${encodeURIComponent(serverName)}`
      const response = await fetch(`${server}${path}`, {
        method,
        // Without this header PowerDNS answers errors in plain text.
        headers: { 'Accept': 'application/json', 'X-API-Key': key },
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        redirect: 'error',
      })
      answer = { status: response.status, text: await response.text() }
    } catch (error) {
      const reason = limit.aborted ? `not within ${timeout} seconds` : reasonOf(error)
      // Without the error itself: it may quote the key, where that is no text for a header.
      throw new BackendUnavailable(`The PowerDNS API did not answer (${this.#printable(reason)})`)
    }
    if (answer.status < 200 || answer.status > 299) {
      const reason = this.#printable(errorText(answer.text))
      throw new PowerDnsRefusal(
        answer.status,
        `The PowerDNS API answered ${answer.status}${reason ? `: ${reason}` : ''}`
      )
    }
  }

  /** One short line without control characters and without the key. */
  #printable(text: string): string {
    return text
      .replaceAll(this.address.key, '********')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .slice(0, LONGEST_REASON)
  }
}

/** PowerDNS' form of a zone name in a path: what is neither letter, digit, dot, hyphen nor underscore as `=HH`. */
function zoneId(zone: string): string {
  return `${zone}.`.replace(/[^A-Za-z0-9._-]/g, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('')
  )
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

/** Why a call came to nothing: `ECONNREFUSED`, `unexpected redirect`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) {
    return 'the call could not be made'
  }
  return 'code' in cause ? String(cause.code) : cause.message
}
