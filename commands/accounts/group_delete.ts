import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Deletes a group. */
export default class GroupDelete extends BaseCommand {
  static commandName = 'group:delete'
  static description = 'Delete a group and its memberships'
  static help = [
    'A group that owns zones needs --confirm. Only administrators can access zones without another owner.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the group' })
  declare group: string

  @flags.boolean({ description: 'Also delete a group that owns zones' })
  declare confirm: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { deleteNamedGroup } = await import('#accounts/groups/named_groups')
      const { printLines } = await import('#terminal/output')
      await deleteNamedGroup(maintainer(), this.group, { isConfirmed: Boolean(this.confirm) })
      await printLines([`Group ${this.group} is deleted`])
    })
  }
}
