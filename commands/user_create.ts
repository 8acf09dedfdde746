import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Creates a user. */
export default class UserCreate extends BaseCommand {
  static commandName = 'user:create'
  static description = 'Create a user; prints the id as JSON'
  static help = [
    'Without --password-stdin a password is made and part of the answer.',
    'Without --template the user gets the least-privileged template.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name to sign in with' })
  declare username: string

  @flags.boolean({ description: 'Read the password from the first line of standard input' })
  declare passwordStdin: boolean

  @flags.string({ description: 'Name of the permission template' })
  declare template?: string

  @flags.string({ description: 'E-mail address' })
  declare email?: string

  @flags.boolean({ description: 'Create the user deactivated' })
  declare inactive: boolean

  @flags.array({ description: 'Name of a group to join; may be repeated' })
  declare group?: string[]

  async run() {
    const { createUser } = await import('#accounts/users')
    const { randomBytes } = await import('node:crypto')
    const password = this.passwordStdin ? await firstLine() : randomBytes(15).toString('base64url')
    await reportRefusals(this, async () => {
      const { id } = await createUser({
        username: this.username,
        password,
        email: this.email ?? null,
        active: !this.inactive,
        template: this.template ?? null,
        groups: this.group ?? [],
      })
      const shown = this.passwordStdin ? {} : { password }
      process.stdout.write(`${JSON.stringify({ id, ...shown })}\n`)
    })
  }
}

async function firstLine(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part))
  }
  return Buffer.concat(parts).toString('utf8').split(/\r?\n/)[0]
}
