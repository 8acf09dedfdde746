import { createHash } from 'node:crypto'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { CalledServer, OtherServer } from '#tests/support/app/server'
import { changeSettings, type SettingChanges } from '#tests/support/app/settings'
import { PowerDns } from '#tests/support/powerdns'

/** A response of the API. */
export interface RemoteAnswer {
  status: number
  text: string
  /** The parsed body, of any shape. */
  body: any
}

/** The key of the PowerDNS API double. */
const KEY = 'key-of-the-tests'

/** The real server with the PowerDNS API of a real name server, or with a double of that API. */
export class SigningServer {
  private constructor(
    private readonly server: CalledServer,
    /** The real name server; null with a double. */
    readonly dns: PowerDns | null,
    private readonly end: () => void | Promise<void>
  ) {}

  /**
   * Uses the server of this process with the API in its settings until `stop`. Background tasks such as outbox delivery do
   * not run here. With `url`, the API is at that address, and no name server is started.
   */
  static async here(changes: SettingChanges = {}, url?: string): Promise<SigningServer> {
    const dns = url === undefined ? await PowerDns.ofRun({ api: true }) : null
    const restore = changeSettings({
      dnssec: { enabled: true },
      ...changes,
      pdns_api: { url: url ?? new URL(dns!.apiUrl!).origin, key: dns?.apiKey ?? KEY },
    })
    return new SigningServer(CalledServer.ofThisProcess(), dns, restore)
  }

  /**
   * Starts a name server (`PowerDns.ofRun`) and the server in its own process. With `url`, the API is at that address, and
   * no name server is started.
   */
  static async start(variables: Record<string, string> = {}, url?: string): Promise<SigningServer> {
    const dns = url === undefined ? await PowerDns.ofRun({ api: true }) : null
    const server = await OtherServer.start({
      PDNS_API_URL: url ?? new URL(dns!.apiUrl!).origin,
      PDNS_API_KEY: dns?.apiKey ?? KEY,
      DNSSEC_ENABLED: 'true',
      ...variables,
    })
    return new SigningServer(server, dns, () => server.stop())
  }

  /** URL of the server. */
  get url(): string {
    return this.server.url
  }

  /** Calls the API below /api/v2 with a key. */
  async call(
    key: string,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {}
  ): Promise<RemoteAnswer> {
    const response = await fetch(`${this.server.url}/api/v2${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, text, body: text === '' ? null : JSON.parse(text) }
  }

  /** Lets the name server rectify a zone, without the product. */
  async rectify(zone: string): Promise<void> {
    const { apiUrl, apiKey } = this.dns!
    const answer = await fetch(`${apiUrl}/zones/${zone}./rectify`, {
      method: 'PUT',
      headers: { 'X-API-Key': apiKey },
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }

  /** Returns the output of the process. */
  log(): string {
    if (this.server instanceof OtherServer) return this.server.log()
    throw new Error('The log of this process is not collected')
  }

  async stop(): Promise<void> {
    await this.end()
    await this.dns?.stop()
  }
}

/** Creates an unsigned zone with a few names. */
export async function plainZone(
  client: ApiClient,
  as: { key: string },
  input: Record<string, unknown> = {}
): Promise<{ id: number; name: string }> {
  const calls = caller(client, as)
  const zone = await createZone(calls, { name: zoneNamed('dnssec'), type: 'MASTER', ...input })
  await createRecord(calls, zone, { name: '@', type: 'NS', content: 'ns1.example.net' })
  for (const name of ['www', 'a.b']) {
    await createRecord(calls, zone, { name, type: 'A', content: '192.0.2.1', ttl: 300 })
  }
  return zone
}

/** Returns the audit events of a zone, oldest first. */
export async function eventsOf(zoneId: number) {
  const rows = await db
    .from('zw_audit')
    .where({ object_kind: 'zone', object_id: zoneId })
    .orderBy('id')
  return rows.map(({ action, outcome, detail }) => ({
    action,
    outcome,
    detail: typeof detail === 'string' ? JSON.parse(detail) : detail,
  }))
}

/** Returns the SHA-256 digest of a DS record for a DNSKEY (RFC 4034, section 5.1.4). */
export function digestOf(zone: string, dnskey: string): string {
  const [flags, protocol, algorithm, ...key] = dnskey.split(' ')
  const head = [Number(flags) >> 8, Number(flags) & 255, Number(protocol), Number(algorithm)]
  const rdata = Buffer.concat([Buffer.from(head), Buffer.from(key.join(''), 'base64')])
  return createHash('sha256').update(wire(zone)).update(rdata).digest('hex')
}

/** Returns the owner name in wire format. */
function wire(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label))
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0]),
  ])
}
