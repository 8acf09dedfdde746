import { join } from 'node:path'
import { isApiMode } from '#tests/support/app/backend'
import { ace } from '#tests/support/app/commands'
import { CalledServer, OtherServer, testFolder } from '#tests/support/app/server'
import { withSettings, type SettingChanges } from '#tests/support/app/settings'
import { PowerDns } from '#tests/support/powerdns'
import { freePort } from '#tests/support/programs'

const NO_SERVER_API = { PDNS_API_URL: '', PDNS_API_KEY: '' }
const WITHOUT_NAME_SERVER = { ...NO_SERVER_API, DNS_BACKEND: 'sql' }

/** The real service under other settings. Each kind is started at its first use. */
const KINDS = {
  /** Everything that can be enabled, on a real name server, with settings that differ from the defaults. */
  full: async () => ({
    ...(isApiMode ? {} : await nameServer()),
    DNSSEC_ENABLED: 'true',
    API_BASIC_AUTH_ENABLED: 'true',
    API_DOCS_ENABLED: 'true',
    API_MAX_KEYS_PER_USER: '5',
    SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT: 'true',
    SECURITY_ACCOUNT_LOCKOUT_LOCKOUT_ATTEMPTS: '3',
    INTERFACE_SHOW_PDNS_STATUS: 'false',
    DNS_TTL: '7200',
    DNS_TTL_REVERSE: '1800',
    DNS_SOA_EDIT_API: 'EPOCH',
    DNS_SOA_EDIT_API_OPTIONS: 'EPOCH,INCREASE,OFF',
  }),
  /** The API and /ping are disabled. */
  closed: async () => ({
    ...WITHOUT_NAME_SERVER,
    // In API mode, the zones of the run belong to the other backend.
    ...(isApiMode ? await ownDatabase() : {}),
    API_ENABLED: 'false',
    HEALTH_PING_ENABLED: 'false',
  }),
  /** The database is unreachable. The log contains the cause. */
  noDatabase: async () => ({ ...(await noDatabase()), LOGGING_TYPE: 'native' }),
  /** The database is unreachable. Logging is disabled. */
  silent: async () => noDatabase(),
} satisfies Record<string, () => Promise<Record<string, string>>>

/** Other settings of this process, for the time of a call. */
const HERE = {
  /** The configured name server is not reachable. */
  unreachable: async () => ({
    pdns_api: { url: `http://127.0.0.1:${await freePort()}`, key: 'key-of-the-tests' },
    dnssec: { enabled: true },
  }),
  /** API mode without a configured name server. */
  unconfigured: async () => ({ pdns_api: { url: '', key: '' }, dns: { backend: 'api' } }),
  /** Readiness is disabled. */
  unready: async () => ({ health: { enabled: false } }),
} satisfies Record<string, () => Promise<SettingChanges>>

export type ServerKind = keyof typeof KINDS | keyof typeof HERE

/** Runs calls on a server of this kind while its settings apply. */
export async function atServer<T>(
  kind: ServerKind,
  calls: (server: CalledServer) => Promise<T>
): Promise<T> {
  if (!(kind in HERE)) return calls(await serverOf(kind as keyof typeof KINDS))
  const changes = await HERE[kind as keyof typeof HERE]()
  return withSettings(changes, () => calls(CalledServer.ofThisProcess()))
}

async function noDatabase() {
  return {
    ...WITHOUT_NAME_SERVER,
    DB_CONNECTION: 'pg',
    DB_HOST: '127.0.0.1',
    DB_PORT: String(await freePort()),
    DB_USER: 'nobody',
    DB_PASSWORD: 'secret-of-the-database',
    DB_DATABASE: 'nothing',
    // Set explicitly, because the environment may have another value.
    LOGGING_TYPE: 'null',
  }
}

/** Creates an empty database next to the database of the run. */
async function ownDatabase(): Promise<Record<string, string>> {
  const file = join(testFolder('own-database'), 'zonewright.sqlite3')
  const variables = { DB_CONNECTION: 'sqlite', DB_FILE: file }
  const { code, stderr } = await ace(['setup', '--admin=admin'], {
    variables: { ...WITHOUT_NAME_SERVER, ...variables },
  })
  if (code !== 0) throw new Error(stderr)
  return variables
}

let ownNameServer: PowerDns | undefined
const started = new Map<keyof typeof KINDS, Promise<OtherServer>>()

async function nameServer(): Promise<Record<string, string>> {
  ownNameServer = await PowerDns.start({ api: true })
  return { PDNS_API_URL: new URL(ownNameServer.apiUrl!).origin, PDNS_API_KEY: ownNameServer.apiKey }
}

/** Returns the service of this kind in its own process, shared until `stopServers`. */
export function serverOf(kind: keyof typeof KINDS): Promise<OtherServer> {
  const running = started.get(kind)
  if (running) return running
  const starting = KINDS[kind]().then((settings) => OtherServer.start(settings))
  started.set(kind, starting)
  return starting
}

/** Stops all started servers. */
export async function stopServers(): Promise<void> {
  const servers = await Promise.all(started.values())
  started.clear()
  await Promise.all(servers.map((server) => server.stop()))
  await ownNameServer?.stop()
  ownNameServer = undefined
}
