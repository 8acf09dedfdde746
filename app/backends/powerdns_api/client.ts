import { BackendUnavailable } from '#backends/errors'

/** Where the HTTP API of a PowerDNS server is, and how to be let in. */
export interface PowerDnsAddress {
  url: string
  key: string
  serverName: string
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
      await this.#ping(timeout)
    } catch {
      await this.#ping(timeout)
    }
  }

  async #ping(timeout: number): Promise<void> {
    const { url, key, serverName } = this.address
    let status: number
    try {
      const answer = await fetch(`${url}/api/v1/servers/${encodeURIComponent(serverName)}`, {
        // Without this header PowerDNS answers errors in plain text.
        headers: { 'Accept': 'application/json', 'X-API-Key': key },
        signal: AbortSignal.timeout(timeout * 1000),
        redirect: 'error',
      })
      await answer.arrayBuffer()
      status = answer.status
    } catch (error) {
      throw new BackendUnavailable('The PowerDNS API did not answer', { cause: error })
    }
    if (status !== 200) {
      throw new BackendUnavailable(`The PowerDNS API answered ${status}`)
    }
  }
}
