import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Creates a group. */
export default class GroupCreate extends BaseCommand {
  static commandName = 'group:create'
  static description = 'Create a group; prints the id as JSON'
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the group' })
  declare group: string

  @flags.string({
    description: 'Name of a permission template for groups',
    default: 'Guests',
  })
  declare template: string

  @flags.string({ description: 'Description' })
  declare description?: string

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { createNamedGroup } = await import('#accounts/groups/named_groups')
      const { group: name, template, description = '' } = this
      const { id } = await createNamedGroup(maintainer(), { name, template, description })
      process.stdout.write(`${JSON.stringify({ id })}\n`)
    })
  }
}
