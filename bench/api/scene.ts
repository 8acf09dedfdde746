import type { BareAnswer } from '../support/bare.ts'
import type { Request } from '../support/load.ts'
import { listen, recordedStatements } from '../support/recorded_statements.ts'
import { serveTasks } from '../support/worker.ts'

/** A user with credentials. */
export interface Caller {
  id: number
  username: string
  key: string
}

/** Contents of a filled database. */
export interface Scene {
  administrator: Caller
  /** Owns 1 000 zones, or all if there are fewer. */
  owner: Caller
  /** Member of a group that owns the same number of other zones. */
  member: Caller
  group: number
  /** A group whose members and zones change. */
  places: number
  /** A zone template with many records and some zones. */
  template: number
  /** A zone template with few records, to which zones are synchronised. */
  smallTemplate: number
  /** A webhook with many deliveries. */
  webhook: number
  /** Ids of the first and the last zone. */
  first: number
  last: number
  /** Id, name and record count (without the SOA) of the large zone. */
  large: { id: number; name: string; records: number }
  /** Dynamic DNS hosts with one IPv4 address each, and their tokens. */
  hosts: { name: string; token: string }[]
  /** Session cookie of the administrator's browser. */
  cookie: string
  /** Seconds of the filling. */
  seconds: number
}

/** Amounts of generated data. */
export interface SceneSize {
  zones: number
  records: number
  /** Records of the large zone. */
  large: number
}

export const PASSWORD = 'a password for measuring'
/** Numbers of additional users and groups. */
const USERS = 1_000
const GROUPS = 50
const OWNED = 1_000
/** Number of dynamic DNS hosts. */
const HOSTS = 200
/** Zones per deleted zone, per change request and per zone with a template. */
const ZONES_FOR_DELETED = 10
const ZONES_FOR_REQUEST = 10
const ZONES_FOR_LINK = 10
const TEMPLATES = 100
const TEMPLATE_RECORDS = 500
const DELIVERIES = 1_000
const AUTOPRIMARIES = 100

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { seedIdentity } = await import('#accounts/seed')
  const { addKey, createApiKey } = await import('#accounts/keys/api_keys')
  const { hostTokenScope } = await import('#accounts/keys/host_tokens')
  const { createNamedGroup } = await import('#accounts/groups/named_groups')
  const { commandOptions } = await import('#accounts/terms')
  const { fillUsers } = await import('#bench/seed/users')
  const { createUser } = await import('#accounts/users/named_users')
  const { fillZones } = await import('#bench/seed/zones')
  const { BackendManager } = await import('#backends/manager')
  const { intentOf } = await import('#changes/model/intent')
  const { importNewZones } = await import('#changes/zone_index/discover')
  const { default: User } = await import('#models/user')
  const { createWebhook } = await import('#events/webhooks/webhooks')
  const { fillChangeRequests } = await import('#bench/seed/change_requests')
  const { OwnerSeeder } = await import('#bench/seed/owners')
  const { ZoneOrders } = await import('#zones/list/sort_table')
  const { createZoneTemplate } = await import('#zones/templates/template_writes')

  const actor = maintainer()
  const terms = commandOptions(actor)

  async function caller(username: string, template: string, groups: string[]): Promise<Caller> {
    const more = { email: `${username}@bench.invalid`, active: true }
    const { id } = await createUser(
      { username, password: PASSWORD, template, groups, ...more },
      actor
    )
    const limits = { readOnly: false, operations: [], zones: [], expiresAt: null }
    const { key } = await createApiKey({ username, name: 'bench', ...limits }, terms)
    return { id, username, key }
  }

  async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
    while (rows.length > 0) await db.table(table).multiInsert(rows.splice(0, 500))
  }

  /** Inserts copies of a row that the product wrote. */
  async function multiply(
    table: string,
    id: number,
    times: number,
    change: (i: number) => object
  ): Promise<void> {
    const row = await db.from(table).where('id', id).firstOrFail()
    delete row.id
    await insert(
      table,
      Array.from({ length: times }, (_, i) => ({ ...row, ...change(i) }))
    )
  }

  /** Creates zone templates, the first with many records. Some zones are linked to one of them. */
  async function templates(): Promise<{ template: number; smallTemplate: number }> {
    const addresses = Array.from({ length: TEMPLATE_RECORDS }, (_, i) => {
      const content = `10.0.${i >> 8}.${i & 255}`
      return { name: `host${i}.[ZONE]`, type: 'A', content, ttl: 300, priority: 0 }
    })
    const make = (name: string, records: typeof addresses) => {
      const input = { name, description: 'for measuring', isGlobal: true }
      return createZoneTemplate(intentOf(actor), input, records)
    }
    const { id } = await make('bench', addresses)
    const { id: smallTemplate } = await make('bench-small', addresses.slice(0, 3))
    await multiply('zw_zone_templates', id, TEMPLATES, (i) => ({ name: `template${i}` }))
    const ids: { id: number }[] = await db.from('zw_zone_templates').orderBy('id').select('id')
    const zones: { id: number; uid: string }[] = await db
      .from('zw_zones')
      .orderBy('id')
      .select('id', 'uid')
    const now = '2026-01-02T03:04:05.678Z'
    await insert(
      'zw_zone_template_links',
      zones
        .filter((_, i) => i % ZONES_FOR_LINK === 0)
        .map(({ uid }, i) => {
          const from = ids[i % ids.length].id
          return { zone_uid: uid, template_id: from, linked_at: now, synced_at: now, given: '[]' }
        })
    )
    return { template: id, smallTemplate }
  }

  /** Creates a disabled webhook with deliveries, and autoprimaries. */
  async function remotes(): Promise<number> {
    const url = 'https://hooks.example.com/'
    const { id } = await createWebhook({ name: 'bench', url, enabled: false }, terms)
    const now = '2026-01-02T03:04:05.678Z'
    await insert(
      'zw_webhook_deliveries',
      Array.from({ length: DELIVERIES }, (_, i) => ({
        webhook_id: id,
        position: i + 1,
        type: 'zone.records',
        zone_id: 0,
        body: '{}',
        state: 'delivered',
        attempts: 1,
        status: 200,
        milliseconds: 5,
        next_at: now,
        created_at: now,
        ended_at: now,
      }))
    )
    await insert(
      'supermasters',
      Array.from({ length: AUTOPRIMARIES }, (_, i) => {
        return { ip: `192.0.2.${i}`, nameserver: `ns${i}.bench.invalid`, account: '' }
      })
    )
    return id
  }

  /** Creates dynamic DNS hosts with one IPv4 address and a token each, in zones of a user. */
  async function hostsOf(userId: number): Promise<Scene['hosts']> {
    const owner = await User.findOrFail(userId)
    const hosts: Scene['hosts'] = []
    const zones: { zone_id: number }[] = await db
      .from('zw_zone_owners')
      .where('user_id', userId)
      .orderBy('zone_id')
      .select('zone_id')
    for (const { zone_id: zone } of zones) {
      if (hosts.length === HOSTS) break
      const row = (await db
        .from('records')
        .join('domains', 'domains.id', 'records.domain_id')
        .where('domains.id', zone)
        .whereNot('domains.type', 'SLAVE')
        .whereIn('records.type', ['A', 'AAAA'])
        .groupBy('records.name')
        .havingRaw("count(*) = 1 and max(records.type) = 'A'")
        .orderBy('records.name')
        .select('records.name')
        .first()) as { name: string } | null
      if (!row) continue
      const { name } = row
      const limits = { withTxt: false, zones: null, networks: null, expiresAt: null }
      const scope = hostTokenScope({ hosts: [name], ...limits })
      const { key } = await addKey(owner, { name, scope }, terms, 'dyndns')
      hosts.push({ name, token: key })
    }
    return hosts
  }

  /** Fills the trash. Every hundredth zone belonged to the owner. */
  async function deleted(count: number, ownerId: number): Promise<void> {
    const zones = Array.from({ length: count }, (_, i) => ({
      zone_uid: `bench-${i}`,
      entry: 1,
      zone_id: 1_000_000_000 + i,
      zone_name: `gone${i}.bench.invalid`,
      deleted_at: '2026-01-02T03:04:05.678Z',
      username: 'bench',
    }))
    await insert('zw_trash', zones)
    const rows: { id: number }[] = await db.from('zw_trash').select('id').orderBy('id')
    const owners = rows
      .filter((_, i) => i % 100 === 0)
      .map(({ id }) => ({ kind: 'user', owner_id: ownerId, trash_id: id }))
    await insert('zw_trash_owners', owners)
  }

  return {
    async fill(size: SceneSize): Promise<Scene> {
      const since = performance.now()
      const client = db.connection()
      if (client.dialect.name === 'better-sqlite3') {
        // The data can be generated again, so thousands of transactions need not wait for the disk.
        await client.rawQuery('PRAGMA synchronous = OFF')
      }
      await seedIdentity()
      const manager = await app.container.make(BackendManager)
      const { zones, records } = size
      const large = await fillZones(client, { zones: 1, records: size.large })
      const filled = await fillZones(client, { zones, records })
      await importNewZones(manager.use())
      const { name } = await db.from('domains').where('id', large.firstId).firstOrFail()

      const team = (called: string) =>
        createNamedGroup(actor, { name: called, template: 'Editors', description: '' })
      const [{ id: group }, { id: places }] = [await team('bench-team'), await team('bench-places')]
      const administrator = await caller('bench-admin', 'Administrator', [])
      const owner = await caller('bench-owner', 'Editor', [])
      const member = await caller('bench-member', 'Guest', ['bench-team'])
      await fillUsers(client, USERS)
      await multiply('zw_groups', group, GROUPS, (i) => ({ name: `name${i}` }))
      const owners = await app.container.make(OwnerSeeder)
      await owners.assignTo(filled, OWNED, { userId: owner.id, groupId: group })
      const orders = await app.container.make(ZoneOrders)
      await orders.updateAll()
      await deleted(Math.ceil(zones / ZONES_FOR_DELETED), owner.id)
      await fillChangeRequests(client, filled, Math.ceil(zones / ZONES_FOR_REQUEST))
      const { template, smallTemplate } = await templates()
      const webhook = await remotes()
      const hosts = await hostsOf(owner.id)
      return {
        administrator,
        owner,
        member,
        group,
        places,
        template,
        smallTemplate,
        webhook,
        first: filled.firstId,
        last: filled.lastId,
        large: { id: large.firstId, name, records: size.large },
        hosts,
        cookie: '',
        seconds: (performance.now() - since) / 1000,
      }
    },

    /** Records the statements of the product for each request. */
    async note(requests: Request[]): Promise<Record<string, BareAnswer>> {
      return recordedStatements(await listen(app), requests)
    },
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
}
