import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import type { BackendZone } from '#backends/contract/backend'
import { reportRefusals } from '#exceptions/command_errors'

/** Creates an API key. */
export default class ApiKeyCreate extends BaseCommand {
  static commandName = 'api-key:create'
  static description = 'Create an API key for a user; prints {"id":..,"key":".."}'
  static help = [
    'The key is printed once and stored nowhere. Restrictions reduce the permissions of its owner.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Owner of the key' })
  declare username: string

  @flags.string({ description: 'Name of the key', default: 'command line' })
  declare name: string

  @flags.boolean({ description: 'Read-only' })
  declare readOnly: boolean

  @flags.string({
    description:
      'Allowed operations, separated by commas: view, create, update, delete; default: all',
  })
  declare operations?: string

  @flags.string({ description: 'Zone names, separated by commas; default: all zones of the user' })
  declare zones?: string

  @flags.string({ description: 'Expiry date (ISO 8601)' })
  declare expires?: string

  @flags.string({
    description:
      'Record names and types that the key can write, separated by commas, e.g. *.dyn.example:A+AAAA; default: all',
  })
  declare patterns?: string

  @flags.string({ description: 'Networks that can use the key, separated by commas; default: all' })
  declare networks?: string

  @flags.number({ description: 'Days without use after which the key expires' })
  declare idleDays?: number

  async run() {
    const { maintainer } = await import('#access/actor')
    const { createApiKey } = await import('#accounts/keys/api_keys')
    const { commandOptions } = await import('#accounts/terms')
    const { parseOperations, parseExpiry, parsePatterns, parseTexts, MAX_IDLE_DAYS } =
      await import('#accounts/keys/options')
    const { wholeNumber } = await import('#terminal/flags')
    const { idleDays } = this
    await reportRefusals(this, async () => {
      const answer = await createApiKey(
        {
          username: this.username,
          name: this.name,
          readOnly: Boolean(this.readOnly),
          operations: parseOperations(this.operations),
          zones: await this.#zones(),
          expiresAt: parseExpiry(this.expires),
          patterns: parsePatterns(this.patterns),
          networks: parseTexts(this.networks),
          idleDays:
            idleDays === undefined
              ? null
              : wholeNumber('idle-days', idleDays, { min: 1, max: MAX_IDLE_DAYS }),
        },
        commandOptions(maintainer())
      )
      process.stdout.write(`${JSON.stringify(answer)}\n`)
    })
  }

  /**
   * Ids and names of the zones in `--zones`. Creates missing zone rows, which the restriction refers to. Throws a 404
   * `Refusal` for an unknown zone.
   */
  async #zones(): Promise<{ id: number; name: string }[]> {
    if (this.zones === undefined) {
      return []
    }
    const names = this.zones.split(',').map((name) => name.trim())
    const { BackendManager } = await import('#backends/manager')
    const { adoptZone } = await import('#changes/recovery/reconcile')
    const { notFound } = await import('#exceptions/refusal')
    const { zoneName } = await import('#dns/names')
    const backends = await this.app.container.make(BackendManager)
    const zones: BackendZone[] = []
    for (const name of names) {
      const zone = await backends.use().findZoneByName(zoneName(name))
      if (!zone) {
        throw notFound(`There is no zone named '${name}'`)
      }
      zones.push(zone)
    }
    for (const zone of zones) {
      await adoptZone(backends.use(), zone)
    }
    return zones
  }
}
