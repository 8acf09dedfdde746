import db from '@adonisjs/lucid/services/db'
import { zoneNamed } from '#tests/support/app/names'
import type { RRsetKey } from '#dns/types'
import { administrator, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { HttpProxy, type ProxiedCall } from '#tests/support/faults/http_proxy'
import { PowerDns } from '#tests/support/powerdns'

/** Timeout of a request in ms. */
const LIMIT_MS = 30_000

export interface Answer {
  status: number
  // Body of the response, of any shape.
  body: any
}

/** A zone of a test. */
export interface SceneZone {
  id: number
  name: string
}

/** A server of the product that reaches its name server through a proxy: over the API only, or over the API for signing. */
export class ApiScene {
  readonly #others: OtherServer[] = []

  private constructor(
    readonly admin: Person,
    readonly dns: PowerDns,
    readonly proxy: HttpProxy,
    private readonly settings: Record<string, string>,
    public server: OtherServer
  ) {}

  /** @param backend `sql`: the name server reads the tables of the product, and its API is used for signing */
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

  /** Kills the server and starts it again. */
  async killAndStart(): Promise<void> {
    this.server.kill()
    this.proxy.heal()
    this.server = await OtherServer.start(this.settings)
  }

  /** Starts another process of the product on the same database and name server. `end` stops it too. */
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
   * Calls the API. Throws without a response in time, and for a 500, which no behaviour of the name server may cause.
   *
   * @param server process that is called
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

  /** Repeats `call` until the response has one of these statuses, while the name server is considered unreachable. */
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

  /** Creates a zone. The name server works normally during the call. */
  async zone(overrides: object = {}): Promise<SceneZone> {
    this.proxy.heal()
    const name = zoneNamed()
    const created = await this.until([201], 'POST', '/zones', { name, ...overrides })
    this.proxy.heal()
    return { id: created.body.data.zone_id, name }
  }

  /** Carries out the next call to an address below the zone, and drops its response. Later calls do not arrive. */
  loseAfter(method: string, { name }: SceneZone, below = ''): void {
    let lost: ProxiedCall | null = null
    this.proxy.fate = (created) => {
      // A call that failed because the database of the name server was locked is repeated.
      if (lost && (lost.status ?? 0) < 500) return 'cut before'
      const isMeant = created.method === method && created.path === `/zones/${name}.${below}`
      lost = isMeant ? created : null
      return isMeant ? 'cut after' : 'pass'
    }
  }

  /**
   * Resolves once a write has made this call. The response is held until `heal`. `isEnded` returns whether the write has
   * ended.
   */
  async startWrite<T>(
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

  /** Deletes an RRset over the API of the name server, as another tool does. Names have no final dot. */
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

  /** Returns the number of pending writes. */
  async pending(): Promise<number> {
    const [row] = await db.from('zw_pending_writes').count('* as total')
    return Number(row.total)
  }

  /** Makes the heartbeat of all pending writes stale, so that other processes may recover them. */
  async makeWritesStale(): Promise<void> {
    const began = new Date(Date.now() - 120_000).toISOString()
    await db.from('zw_pending_writes').update({ began_at: began })
  }
}
