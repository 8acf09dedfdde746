import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Exports a zone as a zone file. */
export default class ZoneExport extends BaseCommand {
  static commandName = 'zone:export'
  static description = 'Write a zone as a zone file (BIND format) to standard output'
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @flags.string({ description: 'Write to this file' })
  declare output?: string

  async run() {
    await reportRefusals(this, async () => {
      const { print, writeFile } = await import('#terminal/output')
      const { openZone } = await import('#terminal/zone')
      const { ZoneFiles } = await import('#zones/zone_file/export')
      const openedZone = await openZone(this.app, this.zone)
      const files = await this.app.container.make(ZoneFiles)
      const chunks: string[] = []
      for await (const chunk of await files.exportZone(openedZone)) chunks.push(chunk)
      await (this.output === undefined ? print(chunks) : writeFile(this.output, chunks))
    })
  }
}
