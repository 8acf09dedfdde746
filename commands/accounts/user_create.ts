import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Creates a user. */
export default class UserCreate extends BaseCommand {
  static commandName = 'user:create'
  static description = 'Create a user; prints the id as JSON'
  static help = [
    'Without --password-stdin, a generated password is part of the output.',
    'Without --template, the user gets the template with the fewest permissions.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'User name for sign-in' })
  declare username: string

  @flags.boolean({ description: 'Read the password from the first line of standard input' })
  declare passwordStdin: boolean

  @flags.string({ description: 'Name of the permission template' })
  declare template?: string

  @flags.string({ description: 'Email address' })
  declare email?: string

  @flags.boolean({ description: 'Create the user deactivated' })
  declare inactive: boolean

  @flags.array({ description: 'Name of a group to join; may be repeated' })
  declare group?: string[]

  async run() {
    const { maintainer } = await import('#access/actor')
    const { createUser } = await import('#accounts/users/named_users')
    const { generatePassword } = await import('#accounts/passwords/policy')
    const { firstLine } = await import('#terminal/input')
    const password = this.passwordStdin ? await firstLine() : generatePassword(this.username)
    await reportRefusals(this, async () => {
      const { id } = await createUser(
        {
          username: this.username,
          password,
          email: this.email ?? null,
          active: !this.inactive,
          template: this.template ?? null,
          groups: this.group ?? [],
        },
        maintainer()
      )
      const passwordMember = this.passwordStdin ? {} : { password }
      process.stdout.write(`${JSON.stringify({ id, ...passwordMember })}\n`)
    })
  }
}
