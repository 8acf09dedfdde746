import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Activates a user. */
export default class UserActivate extends BaseCommand {
  static commandName = 'user:activate'
  static description = 'Activate a user and reset the count of wrong passwords'
  static help = ['Also unlocks a user after too many wrong passwords.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user' })
  declare username: string

  async run() {
    await reportRefusals(this, async () => {
      const { setActive } = await import('#accounts/users/account_state')
      const { maintainer } = await import('#access/actor')
      const isChanged = await setActive(this.username, true, maintainer())
      const already = isChanged ? '' : ' already'
      process.stdout.write(`User ${this.username} is${already} active\n`)
    })
  }
}
