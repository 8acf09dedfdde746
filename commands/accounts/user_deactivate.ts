import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Deactivates a user. */
export default class UserDeactivate extends BaseCommand {
  static commandName = 'user:deactivate'
  static description = 'Deactivate a user with password and API keys'
  static help = ['The last active administrator cannot be deactivated.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user' })
  declare username: string

  async run() {
    await reportRefusals(this, async () => {
      const { setActive } = await import('#accounts/users/account_state')
      const { maintainer } = await import('#access/actor')
      const isChanged = await setActive(this.username, false, maintainer())
      const already = isChanged ? '' : ' already'
      process.stdout.write(`User ${this.username} is${already} inactive\n`)
    })
  }
}
