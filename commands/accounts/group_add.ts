import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Adds a user to a group. */
export default class GroupAdd extends BaseCommand {
  static commandName = 'group:add'
  static description = 'Add a user to a group'
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the group' })
  declare group: string

  @args.string({ description: 'Name of the user' })
  declare username: string

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { changeMembership } = await import('#accounts/groups/named_groups')
      const { printLines } = await import('#terminal/output')
      const { group, username } = this
      await changeMembership(maintainer(), { group, username, isMember: true })
      await printLines([`User ${username} is in group ${group}`])
    })
  }
}
