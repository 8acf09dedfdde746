import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Deletes an API key. */
export default class ApiKeyRevoke extends BaseCommand {
  static commandName = 'api-key:revoke'
  static description = 'Delete an API key permanently'
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Id of the key, see api-key:list' })
  declare id: string

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { deleteKey } = await import('#accounts/keys/api_keys')
      const { commandOptions } = await import('#accounts/terms')
      const { invalid } = await import('#exceptions/refusal')
      const { printLines } = await import('#terminal/output')
      if (!/^[1-9]\d{0,14}$/.test(this.id)) {
        throw invalid(`The id of a key is a whole number, found "${this.id}"`)
      }
      await deleteKey(Number(this.id), commandOptions(maintainer()))
      await printLines([`API key ${this.id} is revoked`])
    })
  }
}
