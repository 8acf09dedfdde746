import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Lists the groups. */
export default class GroupList extends BaseCommand {
  static commandName = 'group:list'
  static description = 'Show groups with templates and members'
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print a JSON array' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { listGroupsByName } = await import('#accounts/groups/named_groups')
      const { printJson, printLines } = await import('#terminal/output')
      const { tableLines } = await import('#terminal/job_text')
      const groups = await listGroupsByName()
      if (this.json) {
        return printJson(groups)
      }
      const rows = groups.map((group) => [
        String(group.id),
        group.name,
        group.template,
        String(group.zones),
        group.members.join(', ') || '-',
      ])
      return printLines(tableLines(['ID', 'NAME', 'TEMPLATE', 'ZONES', 'MEMBERS'], rows))
    })
  }
}
