import type { BareAnswer } from '../support/bare.ts'
import type { Request } from '../support/load.ts'
import { listen, notedAnswers } from '../support/noted.ts'
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
  /** Ids of the first and the last zone. */
  first: number
  last: number
  /** The large zone, its name, and the records in it beside the SOA. */
  large: { id: number; name: string; records: number }
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

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { seedIdentity } = await import('#accounts/seed')
  const { createApiKey } = await import('#accounts/keys/api_keys')
  const { createNamedGroup } = await import('#accounts/groups/named_groups')
  const { plainTerms } = await import('#accounts/terms')
  const { createUser } = await import('#accounts/users/named_users')
  const { fillForBench } = await import('#backends/sql/bench_rows')
  const { BackendManager } = await import('#backends/manager')
  const { adoptNewZones } = await import('#changes/zone_adoption')
  const { BenchOwners } = await import('#zones/bench_owners')

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

  /** Many rows like one that the product wrote: hashing a thousand passwords would take minutes. */
  async function multiply(table: string, id: number, times: number, column: string): Promise<void> {
    const row = await db.from(table).where('id', id).firstOrFail()
    delete row.id
    const rows = Array.from({ length: times }, (_, i) => {
      const email = 'email' in row ? { email: `${column}${i}@bench.invalid` } : {}
      return { ...row, ...email, [column]: `${column}${i}` }
    })
    while (rows.length > 0) await db.table(table).multiInsert(rows.splice(0, 500))
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
      const large = await fillForBench(client, { zones: 1, records: size.large })
      const filled = await fillForBench(client, { zones, records })
      await adoptNewZones(manager.use())
      const { name } = await db.from('domains').where('id', large.firstId).firstOrFail()

      const { id: group } = await createNamedGroup(actor, {
        name: 'bench-team',
        template: 'Editors',
        description: '',
      })
      const administrator = await caller('bench-admin', 'Administrator', [])
      const owner = await caller('bench-owner', 'Editor', [])
      const member = await caller('bench-member', 'Guest', ['bench-team'])
      await multiply('zw_users', owner.id, USERS, 'username')
      await multiply('zw_groups', group, GROUPS, 'name')
      const owners = await app.container.make(BenchOwners)
      await owners.give(filled, OWNED, { userId: owner.id, groupId: group })
      return {
        administrator,
        owner,
        member,
        group,
        first: filled.firstId,
        last: filled.lastId,
        large: { id: large.firstId, name, records: size.large },
        seconds: (performance.now() - since) / 1000,
      }
    },

    /** What the product asks the database for each of these requests. */
    async note(requests: Request[]): Promise<Record<string, BareAnswer>> {
      return notedAnswers(await listen(app), requests)
    },
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
}
