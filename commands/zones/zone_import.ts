import { basename } from 'node:path'
import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Imports a zone file. */
export default class ZoneImport extends BaseCommand {
  static commandName = 'zone:import'
  static description = 'Show the changes that importing a zone file makes; --apply applies them'
  static help = [
    'Lines with + are added RRsets, - deleted ones, ~ changed ones.',
    'A file with errors changes nothing; all errors are shown as file:line.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @args.string({ description: 'Zone file (BIND format); - for standard input' })
  declare file: string

  @flags.boolean({ description: 'Apply the changes; without it, they are only shown' })
  declare apply: boolean

  @flags.string({
    description: 'replace: replace the whole zone; merge: keep RRsets that are not in the file',
    default: 'replace',
  })
  declare mode: string

  @flags.boolean({ description: 'Print the answer of the API: {"plan":..} or {"change":..}' })
  declare json: boolean

  @flags.string({ description: 'Reason, stored in the history' })
  declare reason?: string

  async run() {
    await reportRefusals(this, () => this.#import(), { file: this.file })
  }

  async #import() {
    const { textOf } = await import('#terminal/input')
    const { openZone } = await import('#terminal/zone')
    const { planOrApply } = await import('#terminal/write')
    const { ZoneFiles } = await import('#zones/zone_file/export')
    const mode = await this.#mode()
    const openedZone = await openZone(this.app, this.zone)
    const files = await this.app.container.make(ZoneFiles)
    const source = this.file === '-' ? 'standard input' : basename(this.file)
    await planOrApply(this, (intent) =>
      files.importZone(intent, openedZone, textOf(this.file), { mode, source })
    )
  }

  async #mode() {
    const { invalid } = await import('#exceptions/refusal')
    if (this.mode !== 'merge' && this.mode !== 'replace') {
      throw invalid(`--mode must be merge or replace, found ${JSON.stringify(this.mode)}`)
    }
    return this.mode
  }
}
