/*
 * A bare HTTP server in a process of its own: node:http and the bare driver, one statement for each question that the
 * product has to ask (who has the key, what may they do, the zone, its owners, what is kept of it, the record), and
 * the same JSON. Nothing else: no routes, no rules, no journal to look into.
 */
import { createHash } from 'node:crypto'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Variables } from '../support/database.ts'
import { openBare, type BareDatabase, type Row } from './statements.ts'

/** As many connections as the product has in its pool; SQLite has one. */
const CONNECTIONS = { sqlite: 1, pg: 10, mysql: 10 }

/** The bare server as seen from the benchmark. */
export class BareHttp {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess
  ) {}

  static async start(variables: Variables): Promise<BareHttp> {
    const environment = { ...process.env, ...variables, NODE_ENV: 'production' }
    const file = fileURLToPath(import.meta.url)
    const child = fork(file, ['serve'], { env: environment, execArgv: process.execArgv })
    const [port] = (await once(child, 'message')) as [number]
    return new BareHttp(port, child)
  }

  async stop(): Promise<void> {
    const gone = once(this.child, 'exit')
    this.child.disconnect()
    await gone
  }
}

const KEY = `select k.id, k.user_id, u.username, u.active, k.enabled, k.expires_at, u.permission_template_id
  from zw_api_keys k join zw_users u on u.id = k.user_id where k.secret_hash = ?`
const RIGHTS = 'select permission_id from zw_permission_template_items where template_id = ?'
const ZONE = 'select * from domains where id = ?'
const OWNERS = `select user_id, null as group_id from zw_zone_owners where zone_id = ?
  union all select null, group_id from zw_zone_groups where zone_id = ?`
const OWN_ROW = 'select uid, name, description, last_entry from zw_zones where id = ?'
const RECORD = `select id, name, type, content, ttl, prio, disabled, auth from records
  where id = ? and domain_id = ?`

async function answer(database: BareDatabase, request: IncomingMessage): Promise<object | null> {
  const [, , , , zoneId, , recordId] = request.url!.split('/')
  const hash = createHash('sha256').update(String(request.headers['x-api-key'])).digest('hex')
  const one = async (sql: string, ...values: unknown[]): Promise<Row | undefined> => {
    const [row] = await database.rows([sql, ...values])
    return row
  }
  const key = await one(KEY, hash)
  if (!key) return null
  const rights = await database.rows([RIGHTS, key.permission_template_id])
  const zone = await one(ZONE, Number(zoneId))
  const owners = await database.rows([OWNERS, Number(zoneId), Number(zoneId)])
  if (!zone || rights.length + owners.length === 0) return null
  if (recordId) {
    const record = await one(RECORD, Number(recordId), Number(zoneId))
    const { prio, disabled, auth, ...rest } = record!
    const flags = { priority: prio, disabled: Boolean(disabled), auth: Boolean(auth) }
    return { record: { zone_id: zone.id, ...rest, ...flags } }
  }
  const own = await one(OWN_ROW, zone.id)
  const { id, name, type, master, account } = zone
  const masters = { master, masters: master }
  const more = { account, description: own?.description ?? null, created_at: null }
  return { zone: { id, canonical_id: id, name, type, ...masters, ...more } }
}

async function serve(): Promise<void> {
  const kind = process.env.DB_CONNECTION as BareDatabase['kind']
  const free = await Promise.all(
    Array.from({ length: CONNECTIONS[kind] }, () => openBare(process.env as Variables))
  )
  const waiting: ((database: BareDatabase) => void)[] = []
  const server = createServer(async (request, response) => {
    const database = free.pop() ?? (await new Promise<BareDatabase>((got) => waiting.push(got)))
    const data = await answer(database, request)
    const next = waiting.shift()
    if (next) next(database)
    else free.push(database)
    const text = JSON.stringify({ success: data !== null, data, message: 'Retrieved successfully' })
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    response.writeHead(data === null ? 404 : 200, headers).end(text)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[2] === 'serve') {
  await serve()
}
