import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Disables expired and unused API keys. */
export default class ApiKeysExpire extends BaseCommand {
  static commandName = 'api-keys:expire'
  static description = 'Disable expired and unused API keys'
  static help = [
    'They are invalid in any case; the command also writes the audit log and publishes events.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print {"keys":[..]}' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { expireKeys } = await import('#accounts/keys/expire')
      const { printJson, printLines } = await import('#terminal/output')
      const { printable } = await import('#terminal/paint')
      const { Progress } = await import('#terminal/progress')
      const progress = new Progress()
      const keys = await expireKeys(maintainer(), (seen) => progress.print(`Checked ${seen} keys`))
      progress.end()
      await (this.json
        ? printJson({ keys })
        : printLines([
            ...keys.map(
              ({ id, name, username, because }) =>
                `Key ${id} '${printable(name)}' of ${printable(username)}: ${because}`
            ),
            `Disabled ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`,
          ]))
    })
  }
}
