import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'
import { invalid } from '#exceptions/refusal'

const MAX_ZONES = 1_000_000
const MAX_RECORDS = 2_000_000
const DEFAULT_OWNED_ZONES = 1_000
const MAX_OTHER_ZONES = 100_000

/** Fills the database with generated zones for benchmarks. */
export default class BenchSeed extends BaseCommand {
  static commandName = 'bench:seed'
  static description =
    'Fill the database with generated zones for benchmarks; prints their ids as JSON'
  static help = [
    'Writes zones below bench.invalid, users with keys, change requests and deleted zones directly into the tables, without plans and journal.',
    'Refuses to run in production without --force.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.number({ description: `Number of zones, 1 to ${MAX_ZONES}; default: 1` })
  declare zones?: number

  @flags.number({
    description: `Records of each zone in addition to its SOA record, 0 to ${MAX_RECORDS}; default: 10`,
  })
  declare records?: number

  @flags.string({ description: 'User who owns some of the zones' })
  declare user?: string

  @flags.string({ description: 'Group that owns some of the zones' })
  declare group?: string

  @flags.number({
    description: `Number of zones of that user and of that group, 1 to ${MAX_ZONES}; default: ${DEFAULT_OWNED_ZONES}`,
  })
  declare owned?: number

  @flags.number({
    description: `Number of additional users, 0 to ${MAX_OTHER_ZONES}; default: 0`,
  })
  declare users?: number

  @flags.number({
    description: `Number of change requests for these zones, 0 to ${MAX_OTHER_ZONES}; default: 0`,
  })
  declare requests?: number

  @flags.number({
    description: `Number of zones in the trash, 0 to ${MAX_OTHER_ZONES}; default: 0`,
  })
  declare deleted?: number

  @flags.boolean({ description: 'Also run in production' })
  declare force: boolean

  async run() {
    await reportRefusals(this, () => this.#seed())
  }

  async #seed() {
    if (this.app.inProduction && !this.force) {
      throw invalid(
        'bench:seed fills the database with generated zones; in production it needs --force'
      )
    }
    const zones = wholeNumber('--zones', this.zones ?? 1, 1, MAX_ZONES)
    const records = wholeNumber('--records', this.records ?? 10, 0, MAX_RECORDS)
    const ownedCount = wholeNumber('--owned', this.owned ?? DEFAULT_OWNED_ZONES, 1, MAX_ZONES)
    const users = wholeNumber('--users', this.users ?? 0, 0, MAX_OTHER_ZONES)
    const requests = wholeNumber('--requests', this.requests ?? 0, 0, MAX_OTHER_ZONES)
    const deleted = wholeNumber('--deleted', this.deleted ?? 0, 0, MAX_OTHER_ZONES)
    const { default: db } = await import('@adonisjs/lucid/services/db')
    const { fillUsers } = await import('#bench/seed/users')
    const { fillZones } = await import('#bench/seed/zones')
    const { BackendManager } = await import('#backends/manager')
    const { importNewZones } = await import('#changes/zone_index/discover')
    const { fillChangeRequests } = await import('#bench/seed/change_requests')
    const { OwnerSeeder } = await import('#bench/seed/owners')
    const { fillTrash } = await import('#bench/seed/trash')
    const { ZoneOrders } = await import('#zones/list/sort_table')

    const owner = await this.#owner()
    const backends = await this.app.container.make(BackendManager)
    const backend = backends.use()
    if (backend.name !== 'sql') {
      throw invalid(`bench:seed fills the tables of the backend 'sql', found '${backend.name}'`)
    }
    const since = performance.now()
    const client = db.connection()
    const filled = await fillZones(client, { zones, records })
    await importNewZones(backend)
    const owners = await this.app.container.make(OwnerSeeder)
    await owners.assignTo(filled, ownedCount, owner)
    const orders = await this.app.container.make(ZoneOrders)
    await orders.updateAll()
    if (users > 0) await fillUsers(client, users, owner.groupId)
    if (requests > 0) await fillChangeRequests(client, filled, requests)
    if (deleted > 0) await fillTrash(client, deleted, owner.userId)
    const seconds = Math.round((performance.now() - since) / 100) / 10
    const ids = { first_zone_id: filled.firstId, last_zone_id: filled.lastId }
    process.stdout.write(`${JSON.stringify({ zones, records, ...ids, seconds })}\n`)
  }

  /** Ids of the new zone owners. Throws for an unknown user or group, before anything is written. */
  async #owner() {
    const { findUser } = await import('#accounts/users/named_users')
    const { listGroupsByName } = await import('#accounts/groups/named_groups')
    const user = this.user === undefined ? undefined : await findUser(this.user)
    if (user === null) {
      throw invalid(`--user: there is no user named '${this.user}'`)
    }
    const groups = this.group === undefined ? [] : await listGroupsByName()
    const group = groups.find(({ name }) => name === this.group)
    if (this.group !== undefined && !group) {
      throw invalid(`--group: there is no group named '${this.group}'`)
    }
    return { userId: user?.id, groupId: group?.id }
  }
}

function wholeNumber(flag: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw invalid(`${flag} must be a whole number from ${min} to ${max}, found ${value}`)
  }
  return value
}
