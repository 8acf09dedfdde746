import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Sets the password of a user. */
export default class UserPassword extends BaseCommand {
  static commandName = 'user:password'
  static description = 'Set the password of a user'
  static help = [
    'Without --password-stdin, a password is generated and printed once, as JSON.',
    'Resets the count of wrong passwords.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user' })
  declare username: string

  @flags.boolean({ description: 'Read the password from the first line of standard input' })
  declare passwordStdin: boolean

  async run() {
    const { setPassword } = await import('#accounts/users/account_state')
    const { maintainer } = await import('#access/actor')
    const { generatePassword } = await import('#accounts/passwords/policy')
    const { firstLine } = await import('#terminal/input')
    const password = this.passwordStdin ? await firstLine() : generatePassword(this.username)
    await reportRefusals(this, async () => {
      const { id } = await setPassword(this.username, password, maintainer())
      const passwordMember = this.passwordStdin ? {} : { password }
      process.stdout.write(`${JSON.stringify({ id, ...passwordMember })}\n`)
    })
  }
}
