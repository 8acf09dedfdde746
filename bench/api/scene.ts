import type { BareAnswer } from '../support/bare.ts'
import type { Request } from '../support/load.ts'
import { listen, recordedStatements } from '../support/recorded_statements.ts'
import { serveTasks } from '../support/worker.ts'

/** Somebody who asks. */
export interface Caller {
  id: number
  username: string
  key: string
}

/** What a database was filled with. */
export interface Scene {
  administrator: Caller
  /** Owns 1 000 zones, or all of them where there are fewer. */
  owner: Caller
  /** Member of a group that owns as many others. */
  member: Caller
  group: number
  /** A group to which users and zones come and go. */
  places: number
  /** A zone template with many records, from which some zones came. */
  template: number
  /** One with a few, which zones are brought to. */
  smallTemplate: number
  /** A webhook that was called often. */
  webhook: number
  /** Ids of the first and the last zone. */
  first: number
  last: number
  /** The large zone, its name, and the records in it beside the SOA. */
  large: { id: number; name: string; records: number }
  /** Hosts of dynamic DNS with one IPv4 address each, and their tokens. */
  hosts: { name: string; token: string }[]
  /** What the administrator's browser sends once it is signed in. */
  cookie: string
  /** Seconds that filling took. */
  seconds: number
}

/** What to fill in. */
export interface SceneSize {
  zones: number
  records: number
  /** Records of the one large zone. */
  large: number
}

export const PASSWORD = 'a password for measuring'
/** Users and groups beside those who ask. */
const USERS = 1_000
const GROUPS = 50
const OWNED = 1_000
/** Hosts that update themselves. */
const HOSTS = 200
/** One deleted zone for so many that are there, one change request, and one that came from a template. */
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
  const { plainTerms } = await import('#accounts/terms')
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
  const terms = plainTerms(actor)

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

  /** Many rows like one that the product wrote. */
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

  /** Zone templates, the first with many records; every so many zones came from one of them. */
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

  /** A webhook that is told of nothing any more, with what it was told; and servers whose zones are taken over. */
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

  /** Hosts with one IPv4 address, a token each, in zones that a user owns. */
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

  /** Deleted zones as the trash lists them; every hundredth was the owner's. */
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
        // Nothing is lost that could not be made anew, and thousands of transactions need not wait for the disk.
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

    /** What the product asks the database for each of these requests. */
    async note(requests: Request[]): Promise<Record<string, BareAnswer>> {
      return recordedStatements(await listen(app), requests)
    },
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
}
