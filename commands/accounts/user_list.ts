import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Lists the users. */
export default class UserList extends BaseCommand {
  static commandName = 'user:list'
  static description = 'Show users with templates and groups'
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print a JSON array' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { listUsersByName } = await import('#accounts/users/list')
      const { printJson, printLines } = await import('#terminal/output')
      const { tableLines } = await import('#terminal/job_text')
      const users = await listUsersByName()
      if (this.json) {
        return printJson(users)
      }
      const rows = users.map((user) => [
        String(user.id),
        user.username,
        user.active ? 'active' : 'inactive',
        user.administrator ? `${user.template} (administrator)` : user.template,
        user.groups.join(', ') || '-',
        user.email ?? '-',
      ])
      return printLines(tableLines(['ID', 'NAME', 'STATE', 'TEMPLATE', 'GROUPS', 'E-MAIL'], rows))
    })
  }
}
