import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Prepares an installation for its first start: migrations, data and the administrator. Existing data stay. */
export default class Setup extends BaseCommand {
  static commandName = 'setup'
  static description =
    'Create the APP_KEY, migrate the database, seed it; may create an administrator'
  static help = [
    'Can be repeated: it does not change existing data.',
    '',
    'The password of --admin is the variable ADMIN_PASSWORD; without it, one is generated and',
    'printed once. An existing administrator does not change.',
    '',
    'Zones belong to one backend: see docs/reference/backends.md about --switch-backend.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.string({ description: 'User name of the administrator to create if it does not exist' })
  declare admin?: string

  @flags.boolean({
    description: 'Switch to the backend of dns.backend, with the zones of the former one',
  })
  declare switchBackend: boolean

  async run() {
    await reportRefusals(this, () => this.#setUp())
  }

  async #setUp() {
    const { maintainer } = await import('#access/actor')
    const { migrate } = await import('#accounts/migrate')
    const { seedIdentity } = await import('#accounts/seed')
    const { record } = await import('#audit/record')
    const { adoptAllZones } = await import('#changes/recovery/reconcile')
    const { BackendManager } = await import('#backends/manager')

    const applied = await migrate(this.app)
    this.logger.info(
      applied.length > 0 ? `Migrations: ${applied.join(', ')}` : 'Database is up to date'
    )
    await seedIdentity()
    if (applied.length > 0) {
      const { default: db } = await import('@adonisjs/lucid/services/db')
      const detail = { migrations: applied }
      await record(db.connection(), maintainer(), { action: 'setup', detail })
    }
    const { assignZonesToBackend } = await import('#changes/switch_backend')
    const backends = await this.app.container.make(BackendManager)
    const { default: dns } = await import('#config/dns')
    const previousBackend = await assignZonesToBackend(
      backends.use(),
      dns.backend,
      this.switchBackend
    )
    if (previousBackend !== null) {
      this.logger.info(
        `The zones belonged to the backend ${previousBackend}; now it is ${dns.backend}`
      )
    }
    await adoptAllZones(backends.use())
    if (this.admin !== undefined) {
      await this.#createAdministrator(this.admin)
    }
    await this.#printMissing()
  }

  /** Prints how to create the first administrator, if there is none. */
  async #printMissing() {
    const { readFirstRunState } = await import('#accounts/first_run/state')
    if ((await readFirstRunState()) !== 'begun') {
      this.logger.info(
        'There is no administrator yet: run this command with --admin=<user name>, or start the service, which prints the address of a page to create one'
      )
    }
  }

  async #createAdministrator(username: string) {
    const { maintainer } = await import('#access/actor')
    const { findUser, createUser } = await import('#accounts/users/named_users')
    if (await findUser(username)) {
      this.logger.info(`User ${username} already exists`)
      return
    }
    const { generatePassword } = await import('#accounts/passwords/policy')
    const environmentPassword = process.env.ADMIN_PASSWORD
    const password = environmentPassword || generatePassword(username)
    const { id } = await createUser(
      { username, password, email: null, active: true, template: 'Administrator', groups: [] },
      maintainer()
    )
    this.logger.info(`Created administrator ${username} (id ${id})`)
    if (!environmentPassword) {
      process.stdout.write(`Password of ${username}: ${password}\n`)
    }
  }
}
