import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Lists API keys. */
export default class ApiKeyList extends BaseCommand {
  static commandName = 'api-key:list'
  static description = 'Show API keys with owners and restrictions, without secrets'
  static options: CommandOptions = { startApp: true }

  @flags.string({ description: 'Only keys of this user' })
  declare user?: string

  @flags.boolean({ description: 'Print {"api_keys":[..]}, as the API' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { listKeys } = await import('#accounts/keys/list')
      const { printJson, printLines } = await import('#terminal/output')
      const { tableLines } = await import('#terminal/job_text')
      const { apiKeyItem } = await import('#transformers/accounts/api_key')
      const query = { sort: [], filters: {}, q: null, page: null }
      const { rows } = await listKeys(maintainer(), await this.#userId(), query)
      const items = rows.map((key) => apiKeyItem(key, { zone: () => true, pattern: () => true }))
      if (this.json) {
        return printJson({ api_keys: items })
      }
      const { restrictionsInWords } = await import('#terminal/key_text')
      const cells = items.map((item) => [
        String(item.id),
        item.owner.username,
        item.name,
        item.prefix,
        item.enabled ? 'enabled' : 'disabled',
        item.last_used_at ?? 'never',
        restrictionsInWords(item),
      ])
      const heading = ['ID', 'OWNER', 'NAME', 'PREFIX', 'STATE', 'LAST USED', 'RESTRICTIONS']
      return printLines(tableLines(heading, cells))
    })
  }

  async #userId(): Promise<number | null> {
    const { findUser } = await import('#accounts/users/named_users')
    const { notFound } = await import('#exceptions/refusal')
    if (this.user === undefined) {
      return null
    }
    const user = await findUser(this.user)
    if (!user) {
      throw notFound(`There is no user named '${this.user}'`)
    }
    return user.id
  }
}
