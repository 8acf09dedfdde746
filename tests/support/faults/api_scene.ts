import db from '@adonisjs/lucid/services/db'
import { zoneNamed } from '#tests/support/app/names'
import type { RRsetKey } from '#dns/types'
import { administrator, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { HttpProxy, type ProxiedCall } from '#tests/support/faults/http_proxy'
import { PowerDns } from '#tests/support/powerdns'

/** No request waits longer, whatever the name server does. */
const LIMIT_MS = 30_000

export interface Answer {
  status: number
  // What the API answers is looked into member by member.
  body: any
}

/** A zone of a test. */
export interface SceneZone {
  id: number
  name: string
}

/** A server of the product, whose name server is reached over its API alone, or for signing, and through a proxy. */
export class ApiScene {
  readonly #others: OtherServer[] = []

  private constructor(
    readonly admin: Person,
    readonly dns: PowerDns,
    readonly proxy: HttpProxy,
    private readonly settings: Record<string, string>,
    public server: OtherServer
  ) {}

  /** @param backend `sql`: the name server reads the tables of the product, and signs when it is asked by its API */
  static async start(
    settings: Record<string, string> = {},
    backend: 'api' | 'sql' = 'api'
  ): Promise<ApiScene> {
    const admin = await administrator()
    const dns = await PowerDns.start({ api: true, ownDatabase: backend === 'api' })
    const proxy = await HttpProxy.start(dns.apiUrl!.replace(/\/api\/.*/, ''))
    const mode = { DNS_BACKEND: backend, PDNS_API_URL: proxy.url, PDNS_API_KEY: dns.apiKey }
    const all = { ...mode, ...settings }
    return new ApiScene(admin, dns, proxy, all, await OtherServer.start(all))
  }

  /** Ends the server in the midst of what it does, and starts it anew. */
  async killAndStart(): Promise<void> {
    this.server.kill()
    this.proxy.heal()
    this.server = await OtherServer.start(this.settings)
  }

  /** Another process of the product, on the same database and with the same name server; ends with this one. */
  async another(more: Record<string, string> = {}): Promise<OtherServer> {
    const other = await OtherServer.start({ ...this.settings, ...more })
    this.#others.push(other)
    return other
  }

  async stop(): Promise<void> {
    await Promise.all(this.#others.map((other) => other.stop()))
    await this.server.stop()
    await this.proxy.stop()
    await this.dns.stop()
  }

  /**
   * Calls the API. Throws where no answer comes in time, and on a 500, which nothing that a name server does may lead to.
   *
   * @param server the process that is called
   */
  async call(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
    server = this.server
  ): Promise<Answer> {
    const response = await fetch(`${server.url}/api/v2${path}`, {
      method,
      headers: { 'X-API-Key': this.admin.key, 'Content-Type': 'application/json', ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const text = await response.text()
    if (response.status === 500) {
      throw new Error(`${method} ${path}: ${text}\n${server.log()}`)
    }
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  /** As `call`, again until it has one of these statuses: while the name server is taken for lost. */
  until(statuses: number[], method: string, path: string, body?: object): Promise<Answer> {
    return eventually(
      async () => {
        const answer = await this.call(method, path, body)
        if (!statuses.includes(answer.status)) throw new Error(JSON.stringify(answer))
        return answer
      },
      { within: 45_000, every: 250 }
    )
  }

  /** A new zone; all is well with the name server then. */
  async zone(more: object = {}): Promise<SceneZone> {
    this.proxy.heal()
    const name = zoneNamed()
    const made = await this.until([201], 'POST', '/zones', { name, ...more })
    this.proxy.heal()
    return { id: made.body.data.zone_id, name }
  }

  /** Carries out the next call to what is below a zone's address, and cuts off its answer; no later one gets there. */
  loseAfter(method: string, { name }: SceneZone, below = ''): void {
    let lost: ProxiedCall | null = null
    this.proxy.fate = (made) => {
      // One that failed there, as its database was locked by somebody else, is made again.
      if (lost && (lost.status ?? 0) < 500) return 'cut before'
      const isMeant = made.method === method && made.path === `/zones/${name}.${below}`
      lost = isMeant ? made : null
      return isMeant ? 'cut after' : 'pass'
    }
  }

  /** Resolves once a write has made this call, which gets no answer until all is well again, and when it has ended. */
  async begun<T>(
    meant: { method: string; path: string },
    writing: Promise<T>
  ): Promise<{ answer: Promise<T>; isEnded: () => boolean }> {
    let isEnded = false
    const isMeant = ({ method, path }: ProxiedCall) =>
      method === meant.method && path === meant.path
    this.proxy.fate = (call) => (isMeant(call) ? 'held' : 'pass')
    const answer = writing.finally(() => (isEnded = true))
    await eventually(
      async () => {
        if (!this.proxy.calls.some((call) => isMeant(call) && call.status)) {
          throw new Error(`${meant.method} ${meant.path} was not called`)
        }
      },
      { within: 5_000, every: 20 }
    )
    return { answer, isEnded: () => isEnded }
  }

  /** Ends an RRset as another tool does, by the API of the name server; names without their last dot. */
  async clearOutside(zone: string, { name, type }: RRsetKey): Promise<void> {
    const response = await fetch(`${this.dns.apiUrl}/zones/${zone}.`, {
      method: 'PATCH',
      headers: { 'X-API-Key': this.dns.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ rrsets: [{ name: `${name}.`, type, changetype: 'DELETE' }] }),
    })
    if (!response.ok) {
      throw new Error(`${response.status}: ${await response.text()}`)
    }
  }

  /** How many writes are not confirmed. */
  async pending(): Promise<number> {
    const [row] = await db.from('zw_pending_writes').count('* as total')
    return Number(row.total)
  }

  /** Lets no write that is not confirmed be one that may be at work still. */
  async passTime(): Promise<void> {
    const began = new Date(Date.now() - 120_000).toISOString()
    await db.from('zw_pending_writes').update({ began_at: began })
  }
}
