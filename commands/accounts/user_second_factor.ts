import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Says whether a user has a second factor; takes it off for one who lost theirs. */
export default class UserSecondFactor extends BaseCommand {
  static commandName = 'user:second-factor'
  static description = 'Say whether a user has a second factor, or take it off'
  static help = ['For somebody who lost both their authenticator and their recovery codes.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user' })
  declare username: string

  @flags.boolean({
    description: 'Take the second factor off, and the lock after wrong codes with it',
  })
  declare off: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { userNamed } = await import('#accounts/users/account_state')
      const { removeSecondFactor, secondFactorOf } =
        await import('#accounts/second_factor/second_factor')
      const { maintainer } = await import('#access/actor')
      const user = await userNamed(this.username)
      const isOff = this.off && (await removeSecondFactor(maintainer(), user))
      const { isOn, recoveryCodes } = await secondFactorOf(user.id)
      const state = isOn
        ? `a second factor and ${recoveryCodes} recovery codes`
        : 'no second factor'
      process.stdout.write(`User ${this.username} has ${state}${isOff ? ' any more' : ''}\n`)
    })
  }
}
