import { basename } from 'node:path'
import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Imports a zone file. */
export default class ZoneImport extends BaseCommand {
  static commandName = 'zone:import'
  static description = 'Show what importing a zone file would change; with --apply, change it'
  static help = [
    'Lines that start with + are RRsets that come, - that go, ~ that change.',
    'With errors in the file nothing is changed, and all of them are told as file:line.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @args.string({ description: 'Zone file (BIND format); - is standard input' })
  declare file: string

  @flags.boolean({ description: 'Change the zone; without it the plan is shown and nothing done' })
  declare apply: boolean

  @flags.string({
    description: 'replace: the zone becomes the file; merge: RRsets not in the file stay',
    default: 'replace',
  })
  declare mode: string

  @flags.boolean({ description: 'Print what the API answers: {"plan":..} or {"change":..}' })
  declare json: boolean

  @flags.string({ description: 'Why; kept in the journal' })
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
    const open = await openZone(this.app, this.zone)
    const files = await this.app.container.make(ZoneFiles)
    const source = this.file === '-' ? 'standard input' : basename(this.file)
    await planOrApply(this, (intent) =>
      files.importZone(intent, open, textOf(this.file), { mode, source })
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
