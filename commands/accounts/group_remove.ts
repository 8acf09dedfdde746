import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Removes a user from a group. */
export default class GroupRemove extends BaseCommand {
  static commandName = 'group:remove'
  static description = 'Remove a user from a group'
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
      await changeMembership(maintainer(), { group, username, isMember: false })
      await printLines([`User ${username} is no longer in group ${group}`])
    })
  }
}
