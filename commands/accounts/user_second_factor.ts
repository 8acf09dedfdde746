import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Shows whether a user has a second factor. Removes the factor of a user who lost it. */
export default class UserSecondFactor extends BaseCommand {
  static commandName = 'user:second-factor'
  static description = 'Show whether a user has a second factor, or reset it'
  static help = ['For a user who lost the authenticator and all recovery codes.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user' })
  declare username: string

  @flags.boolean({
    description: 'Reset the second factor, and the lock after wrong codes',
  })
  declare off: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { findUserByName } = await import('#accounts/users/account_state')
      const { removeSecondFactor, readSecondFactor } =
        await import('#accounts/second_factor/second_factor')
      const { maintainer } = await import('#access/actor')
      const user = await findUserByName(this.username)
      const isOff = this.off && (await removeSecondFactor(maintainer(), user))
      const { isOn, recoveryCodes } = await readSecondFactor(user.id)
      const state = isOn
        ? `a second factor and ${recoveryCodes} recovery codes`
        : 'no second factor'
      process.stdout.write(`User ${this.username} has ${state}${isOff ? ' now' : ''}\n`)
    })
  }
}
